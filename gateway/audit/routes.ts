import type { Route } from '../http/route.ts';
import { listAuditEntriesRoute } from './list-entries.ts';

/** The routes of the audit log. */
export const auditRoutes: readonly Route[] = [listAuditEntriesRoute];
