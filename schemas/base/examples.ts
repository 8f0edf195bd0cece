import { z } from 'zod';
import { sha256Hex } from './digest.ts';
import { exampleBytes, exampleId, requestIdFrom, uuidFrom } from './ids.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** Values that the examples of the OpenAPI document share, so that they tell one story. */
export const EXAMPLES = {
  workspaceId: exampleId('workspace'),
  installationId: exampleId('installation'),
  organizationId: exampleId('organization'),
  userId: exampleId('user'),
  importId: uuidFrom(exampleBytes('import')),
  etag: `"${sha256Hex('example answer')}"`,
  requestId: requestIdFrom(exampleBytes('request')),
  origin: 'https://app.example.com',
  at: '2026-09-07T10:00:00.000Z',
  /** A moment after {@link EXAMPLES.at}. */
  later: '2026-09-07T10:05:00.000Z',
} as const;

/**
 * Returns the example of a schema: that of its `.meta()`, or else one of the examples of its parts. An optional member is part
 * of it if the member itself has an example.
 */
export function exampleOf<Schema extends z.ZodType>(schema: Schema): z.input<Schema> {
  return example(schema) as z.input<Schema>;
}

function example(schema: z.core.$ZodType): JsonValue | undefined {
  const meta = z.globalRegistry.get(schema);
  if (meta !== undefined && 'example' in meta) return meta['example'] as JsonValue;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return objectExample(def.shape);
    case 'array': {
      const item = example(def.element);
      return item === undefined ? [] : [item];
    }
    case 'literal':
      return def.values[0] as JsonValue;
    case 'enum':
      return Object.values(def.entries)[0];
    case 'boolean':
      return false;
    case 'record':
      return {};
    case 'nullable':
      return example(def.innerType) ?? null;
    case 'optional':
    case 'default':
    case 'readonly':
    case 'catch':
      return example(def.innerType);
    case 'pipe':
      return example(def.in);
    case 'union':
      return def.options[0] && example(def.options[0]);
    default:
      return undefined;
  }
}

function objectExample(shape: Readonly<Record<string, z.core.$ZodType>>): JsonObject {
  const members = Object.entries(shape)
    .filter(([, member]) => member._zod.def.type !== 'optional' || hasExample(member))
    .map(([name, member]) => [name, example(member)]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function hasExample(schema: z.core.$ZodType): boolean {
  return 'example' in (z.globalRegistry.get(schema) ?? {});
}
