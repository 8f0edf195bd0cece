import { z } from 'zod';
import { pendingSchema } from '../../processors/runtime/effects/follow-up.ts';
import { entityKeysSchema } from '../../processors/runtime/fold/entity-keys.ts';
import { progressTargetSchema } from '../../schemas/activate/documents.ts';
import { runtimeRootSchema } from '../../schemas/base/aggregate-root.ts';
import type { CommandTable } from '../../schemas/base/command.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import {
  outcomeSchema,
  RUNTIME_KINDS,
  recentOutcomeSchema,
  storedOutcomeSchema,
} from '../../schemas/base/outcome.ts';
import { keywords } from '../../schemas/base/wire.ts';
import { widgetTargetSchema } from '../../schemas/feedback/documents.ts';
import {
  capabilityTargetSchema,
  importSessionTargetSchema,
  uploadTokenTargetSchema,
} from '../../schemas/imports/documents.ts';
import { apiKeyTargetSchema } from '../../schemas/limiter/keys.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { invitationTargetSchema } from '../../schemas/organizations/documents.ts';
import { consoleSessionTargetSchema, resetTargetSchema } from '../../schemas/people/documents.ts';
import { claimCodeTargetSchema, credentialTargetSchema } from '../../schemas/workspaces/documents.ts';
import { TOPIC_NAMES, TOPICS, type Topic } from '../../topics/catalogue.ts';
import { folds } from './processors.ts';

/** The rows that the runtime keeps in every aggregate. */
const RUNTIME_ROWS = {
  [RUNTIME_KINDS.outcome]: storedOutcomeSchema,
  [RUNTIME_KINDS.recent]: recentOutcomeSchema,
  [RUNTIME_KINDS.entityKeys]: entityKeysSchema,
  [RUNTIME_KINDS.pending]: pendingSchema,
} as const;

const TARGETS = {
  credential: credentialTargetSchema,
  'claim-code': claimCodeTargetSchema,
  'progress-token': progressTargetSchema,
  widget: widgetTargetSchema,
  capability: capabilityTargetSchema,
  'import-session': importSessionTargetSchema,
  'upload-token': uploadTokenTargetSchema,
  'api-key': apiKeyTargetSchema,
  invitation: invitationTargetSchema,
  'console-session': consoleSessionTargetSchema,
  reset: resetTargetSchema,
} as const;

/**
 * The JSON Schema of every document that the store keeps, and of what processors answer: by table its root and its kinds of
 * rows. `*` has what every table has, `targets` the targets of index entries, and `results of …` the results that outcomes
 * hold, by the type of their command.
 */
export function describeDocuments(): JsonObject {
  const tables = folds(DEFAULT_LIMITS).map((fold) => [
    TOPICS[fold.topic].table,
    described({ root: fold.rootSchema, ...fold.rowSchemas }),
  ]);
  return {
    '*': described({ root: runtimeRootSchema, answer: outcomeSchema, ...RUNTIME_ROWS }),
    targets: described(TARGETS),
    ...Object.fromEntries(tables),
    ...Object.fromEntries(TOPIC_NAMES.flatMap((name) => resultsOf(name, TOPICS[name]))),
  };
}

function resultsOf(name: string, topic: Topic): [string, JsonObject][] {
  if (topic.kind !== 'commands') return [];
  const commands: CommandTable = topic.records;
  const results = Object.entries(commands).map(([type, { result }]) => [type, result] as const);
  return [[`results of ${name}`, described(Object.fromEntries(results))]];
}

function described(schemas: Readonly<Record<string, z.ZodType>>): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      z.toJSONSchema(schema, {
        target: 'draft-2020-12',
        io: 'input',
        unrepresentable: 'any',
        metadata: keywords,
      }) as JsonObject,
    ]),
  );
}
