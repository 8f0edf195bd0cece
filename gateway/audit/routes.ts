import type { Route } from '../http/route.ts';
import { listAuditEntriesRoute } from './list-entries.ts';

/** What people did for their organization. */
export const auditRoutes: readonly Route[] = [listAuditEntriesRoute];
