import { z } from 'zod';
import type { JsonObject } from '../../schemas/base/json.ts';
import { wireForms } from '../../schemas/base/wire.ts';
import type { Limits } from '../../schemas/limits.ts';

/**
 * A zod schema as JSON Schema, draft 2020-12, the dialect of OpenAPI 3.1. What JSON Schema cannot say is left open; what zod
 * cannot say of itself comes from {@link wireForms}.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', limits: Limits): JsonObject {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: keywords }) => {
      const form = wireForms.get(zodSchema);
      if (form === undefined) return;
      if (form.replaces !== undefined) {
        for (const name of Object.keys(keywords)) delete keywords[name];
      }
      const { maximum } = form;
      Object.assign(keywords, form.replaces, form.adds, maximum && { maximum: maximum(limits) });
    },
  });
  return described as JsonObject;
}
