import { z } from 'zod';
import { idSchema } from '../../../schemas/base/ids.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { epochMsSchema, isoTime } from '../../../schemas/base/time.ts';
import type { ImportConfiguration } from '../../../schemas/imports/configuration.ts';
import type { schemaAnswerSchema } from '../../../schemas/imports/http.ts';

/** The result of `create-schema` and `revise-schema`. */
const resultSchema = z.strictObject({
  schemaId: idSchema('schema'),
  revision: z.int().positive(),
  createdAt: epochMsSchema,
});

/** The answer to a configuration: what was sent is what is stored, also when it was stored before. */
export function schemaAnswer(
  result: JsonObject,
  configuration: ImportConfiguration,
): z.infer<typeof schemaAnswerSchema> {
  const { schemaId, revision, createdAt } = resultSchema.parse(result);
  return { schemaId, revision, configuration, createdAt: isoTime(createdAt) };
}
