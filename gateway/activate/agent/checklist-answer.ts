import { z } from 'zod';
import type { ChecklistConfiguration } from '../../../schemas/activate/configuration.ts';
import { CHECKLIST_SCHEMA_VERSION, type checklistAnswerSchema } from '../../../schemas/activate/http.ts';
import { idSchema } from '../../../schemas/base/ids.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { epochMsSchema, isoTime } from '../../../schemas/base/time.ts';

/** The result of `create-checklist` and `revise-checklist`. */
const resultSchema = z.strictObject({
  checklistId: idSchema('checklist'),
  revision: z.int().positive(),
  createdAt: epochMsSchema,
});

/** The answer to a configuration: what was sent is what is stored, also when it was stored before. */
export function checklistAnswer(
  result: JsonObject,
  configuration: ChecklistConfiguration,
): z.infer<typeof checklistAnswerSchema> {
  const { checklistId, revision, createdAt } = resultSchema.parse(result);
  return {
    schemaVersion: CHECKLIST_SCHEMA_VERSION,
    checklistId,
    revision,
    configuration,
    createdAt: isoTime(createdAt),
  };
}
