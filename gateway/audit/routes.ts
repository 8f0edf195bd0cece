import { tagged } from '../http/routing/route.ts';
import { listAuditEntriesRoute } from './list-entries.ts';

export const auditRoutes = tagged(
  {
    name: 'Audit log',
    description: 'What people and the operator did for an organization, and which private data they read.',
  },
  [listAuditEntriesRoute],
);
