import {
  type ChecklistDocument,
  checklistDocumentSchema,
  type EnrollmentDocument,
  enrollmentDocumentSchema,
  revisionDocumentSchema,
  revisionRowId,
} from '../../../schemas/activate/documents.ts';
import { CHECKLIST_SCHEMA_VERSION, progressSchema } from '../../../schemas/activate/http.ts';
import { stepProgress } from '../../../schemas/activate/progress.ts';
import { serviceError } from '../../../schemas/base/errors.ts';
import type { GatewayServices } from '../../http/services.ts';
import type { PrincipalOf } from '../../principals.ts';
import { progressPage } from '../audiences.ts';
import { noChecklist, readActivate } from '../checklist-reading.ts';

/**
 * GET `{ingest}/v1/activate/progress`: the progress of one subject, for a page. A subject without an enrollment sees
 * the current revision with nothing completed (infra/docs/reference/checklists.md#sessions-and-progress).
 */
export const readProgressRoute = progressPage.get('/progress', {
  name: 'readProgress',
  summary: 'Read the progress that a session is for',
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
        name: configuration.name,
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
  services: GatewayServices,
  { workspace, owned: { checklistId }, id: enrollment }: PrincipalOf<'progress'>,
): Promise<SubjectReading> {
  const { row } = await readActivate(services, workspace.installationId, [
    { kind: 'checklist', id: checklistId },
    { kind: 'enrollment', id: enrollment },
  ]);
  const checklist = row('checklist', checklistId, checklistDocumentSchema);
  if (checklist === null) throw noChecklist();
  return { checklist, enrollment: row('enrollment', enrollment, enrollmentDocumentSchema) };
}

async function readConfiguration(
  services: GatewayServices,
  { workspace, owned: { checklistId } }: PrincipalOf<'progress'>,
  revision: number,
) {
  const id = revisionRowId(checklistId, revision);
  const { row } = await readActivate(services, workspace.installationId, [{ kind: 'revision', id }]);
  const stored = row('revision', id, revisionDocumentSchema);
  if (stored === null) throw noChecklist();
  return stored.configuration;
}
