import { serviceError } from '../../../schemas/base/errors.ts';
import {
  eraseRequestSchema,
  importStatusSchema,
  workspaceImportParamsSchema,
} from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { OWNER_OR_ADMIN } from '../../people/roles.ts';
import { send } from '../actions.ts';
import { pathWorkspace } from '../console-workspace.ts';

/** POST `/v1/console/workspaces/{workspaceId}/imports/{importId}/erase`: for good, and whatever became of the workspace. */
export const eraseImportRoute = defineRoute({
  name: 'eraseImport',
  summary: 'Erase an import with everything that was made of it',
  method: 'POST',
  path: '/v1/console/workspaces/:workspaceId/imports/:importId/erase',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  product: 'svcimport',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceImportParamsSchema,
  body: { kind: 'json', schema: eraseRequestSchema, limit: 'jsonBytes' },
  success: { status: 200, schema: importStatusSchema, description: 'The import as it was, erased' },
  errors: ['forbidden', 'erased'],
  async handle({ workspace, params, body, submit }) {
    const { importId } = params;
    if (body.confirm !== importId) {
      throw serviceError('bad_request', {
        at: 'body.confirm',
        seen: 'another id',
        expected: 'the id of the import in the path',
      });
    }
    const { installationId } = pathWorkspace({ workspace });
    return { body: await send({ submit }, installationId, 'erase-import', { importId }) };
  },
});
