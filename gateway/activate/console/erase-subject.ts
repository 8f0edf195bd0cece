import {
  eraseSubjectRequestSchema,
  subjectErasureSchema,
  workspaceChecklistParamsSchema,
} from '../../../schemas/activate/http.ts';
import { isoTimeOrNull } from '../../../schemas/base/time.ts';
import { defineRoute } from '../../http/route.ts';
import { pathWorkspace } from '../../imports/console-workspace.ts';
import { OWNER_OR_ADMIN } from '../../people/roles.ts';
import { enrollmentOf } from '../subject.ts';

/** POST `…/checklists/{checklistId}/erase`: everything of one subject, for good, and whatever became of the workspace. */
export const eraseSubjectRoute = defineRoute({
  name: 'eraseSubject',
  summary: 'Erase a subject from a checklist, with its events, keys and sessions',
  method: 'POST',
  path: '/v1/console/workspaces/:workspaceId/checklists/:checklistId/erase',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  product: 'svcactivate',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceChecklistParamsSchema,
  body: { kind: 'json', schema: eraseSubjectRequestSchema, limit: 'jsonBytes' },
  success: { status: 200, schema: subjectErasureSchema, description: 'Whether there was anything to erase' },
  errors: ['forbidden', 'erased'],
  async handle({ workspace, params, body, services, submit }) {
    const { installationId } = pathWorkspace({ workspace });
    const { checklistId } = params;
    const enrollment = enrollmentOf(services.secrets, { installationId, checklistId, ...body });
    const input = { checklistId, cohort: body.cohort, enrollment };
    const command = { topic: 'activate', key: installationId, type: 'erase-subject' } as const;
    const { erased, erasedAt } = await submit({ ...command, input });
    return { body: { erased, erasedAt: isoTimeOrNull(erasedAt) } };
  },
});
