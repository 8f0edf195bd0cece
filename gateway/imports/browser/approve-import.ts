import { serviceError } from '../../../schemas/base/errors.ts';
import {
  approveRequestSchema,
  importStatusSchema,
  uploadParamsSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { send } from '../actions.ts';
import { loadOwnImport } from './own-import.ts';

/** POST `…/browser/imports/{importId}/approve`: exactly what was validated, or nothing. */
export const approveSessionImportRoute = defineRoute({
  name: 'approveSessionImport',
  summary: 'Approve the exact validation of an import, where the owner delegated that',
  method: 'POST',
  path: '/v1/import/browser/imports/:importId/approve',
  host: 'ingest',
  principal: 'session',
  cors: 'session-origin',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'none',
  params: uploadParamsSchema,
  body: { kind: 'json', schema: approveRequestSchema, limit: 'jsonBytes' },
  success: { status: 200, schema: importStatusSchema, description: 'The import, approved' },
  errors: ['forbidden', 'conflict', 'revision_conflict', 'state_conflict', 'cancelled', 'erased'],
  noStore: true,
  async handle({ principal, params, body, services, submit }) {
    if (!principal.delegateApproval) {
      throw serviceError('forbidden', {
        at: 'session.approvalDelegated',
        seen: 'a session without delegated approval',
        expected: 'approval by the owner or a session with delegated approval',
      });
    }
    const { importId } = params;
    await loadOwnImport(services, principal, importId);
    const { installationId } = principal.workspace;
    const input = { importId, validationDigest: body.validationDigest };
    return { body: await send({ submit }, installationId, 'approve-import', input) };
  },
});
