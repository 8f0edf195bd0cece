import type { z } from 'zod';
import type { activateCommands } from '../../../schemas/activate/commands.ts';
import type { ChecklistConfiguration } from '../../../schemas/activate/configuration.ts';
import { CHECKLIST_SCHEMA_VERSION, type checklistAnswerSchema } from '../../../schemas/activate/http.ts';
import { isoTime } from '../../../schemas/base/time.ts';

/** The answer to a configuration: what was sent is what is stored, also when it was stored before. */
export function checklistAnswer(
  { checklistId, revision, createdAt }: z.infer<(typeof activateCommands)['create-checklist']['result']>,
  configuration: ChecklistConfiguration,
): z.infer<typeof checklistAnswerSchema> {
  return {
    schemaVersion: CHECKLIST_SCHEMA_VERSION,
    checklistId,
    revision,
    configuration,
    createdAt: isoTime(createdAt),
  };
}
