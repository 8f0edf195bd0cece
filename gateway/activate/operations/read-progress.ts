import { shownConfiguration } from '../../../schemas/activate/configuration.ts';
import {
  type ChecklistDocument,
  type EnrollmentDocument,
  revisionRowId,
} from '../../../schemas/activate/documents.ts';
import { CHECKLIST_SCHEMA_VERSION, progressSchema } from '../../../schemas/activate/http.ts';
import { stepProgress } from '../../../schemas/activate/progress.ts';
import { serviceError } from '../../../schemas/base/errors.ts';
import type { PrincipalOf } from '../../principals.ts';
import type { GatewayServices } from '../../services.ts';
import { progressPage } from '../audiences.ts';
import { activateReader, noChecklist } from '../checklist-reading.ts';

/**
 * A subject without an enrollment sees the current revision with nothing completed
 * (infra/docs/reference/checklists.md#sessions-and-progress).
 */
export const readProgressRoute = progressPage.get('/progress', {
  name: 'readProgress',
  summary: 'Read the progress that a session is for',
  description:
    'Returns the progress of the subject that the token is for. Only pages of the origin of the session may call it.',
  success: { status: 200, schema: progressSchema, etag: true, description: 'The steps, completed or not' },
  async handle({ principal, services }) {
    const { checklist, enrollment } = await readSubject(services, principal);
    if (!checklist.allowedOrigins.includes(principal.origin)) {
      throw serviceError('origin_not_allowed', {
        at: 'header.Origin',
        seen: 'the origin of the session that the checklist no longer allows',
        expected: 'one of its allowedOrigins; change the checklist or open a session for another page',
      });
    }
    const revision = enrollment?.revision ?? checklist.revision;
    const configuration = await readConfiguration(services, principal, revision);
    const steps = stepProgress(configuration, enrollment);
    const completedSteps = steps.filter(({ completed }) => completed).length;
    return {
      body: {
        schemaVersion: CHECKLIST_SCHEMA_VERSION,
        ...shownConfiguration(configuration),
        revision,
        steps,
        completedSteps,
        totalSteps: steps.length,
        complete: completedSteps === steps.length,
      },
    };
  },
});

interface SubjectReading {
  readonly checklist: ChecklistDocument;
  readonly enrollment: EnrollmentDocument | null;
}

async function readSubject(
  { store }: GatewayServices,
  { workspace, owned: { checklistId }, id: enrollment }: PrincipalOf<'progress'>,
): Promise<SubjectReading> {
  const { row } = await activateReader.read(store, workspace.installationId, [
    { kind: 'checklist', id: checklistId },
    { kind: 'enrollment', id: enrollment },
  ]);
  const checklist = row('checklist', checklistId);
  if (checklist === null) throw noChecklist();
  return { checklist, enrollment: row('enrollment', enrollment) };
}

async function readConfiguration(
  { store }: GatewayServices,
  { workspace, owned: { checklistId } }: PrincipalOf<'progress'>,
  revision: number,
) {
  const id = revisionRowId(checklistId, revision);
  const stored = await activateReader.row(store, workspace.installationId, 'revision', id);
  if (stored === null) throw noChecklist();
  return stored.configuration;
}
