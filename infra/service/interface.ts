import { z } from 'zod';
import { describeInterface } from '../../gateway/http/openapi.ts';
import type { Hosts } from '../../gateway/http/services.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { TOPIC_NAMES, TOPICS, type Topic } from '../../topics/catalogue.ts';
import { productRoutes } from './gateway.ts';

/** One process that serves everything, where nothing else is set. */
const BASE = 'http://127.0.0.1:8787';
const HOSTS: Hosts = { base: BASE, limiter: BASE, ingest: BASE, console: BASE, dashboard: BASE };

/** Everything that others rely on, as data: what is served over HTTP, and what records of topics hold. */
export interface ServiceInterface {
  /** OpenAPI 3.1, as `/openapi.json` serves it. */
  readonly openapi: JsonObject;
  /** By topic: its kind, its key, and the JSON Schema of the input of every type of record. */
  readonly topics: JsonObject;
}

export function describeService(): ServiceInterface {
  return {
    openapi: describeInterface(productRoutes(), { hosts: HOSTS, limits: DEFAULT_LIMITS }),
    topics: Object.fromEntries(TOPIC_NAMES.map((name) => [name, describeTopic(TOPICS[name])])),
  };
}

function describeTopic({ kind, key, schemas }: Topic): JsonObject {
  const records = Object.entries(schemas).map(([type, schema]) => [
    type,
    z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' }) as JsonObject,
  ]);
  return { kind, key, records: Object.fromEntries(records) };
}
