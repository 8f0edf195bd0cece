import { z } from 'zod';
import type { AnyFold } from '../../../processors/runtime/fold/fold.ts';
import { runtimeRootSchema } from '../../../schemas/base/aggregate-root.ts';
import { idSchema, installationOf, isId } from '../../../schemas/base/ids.ts';
import type { JsonObject, JsonValue } from '../../../schemas/base/json.ts';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { keywords } from '../../../schemas/base/wire.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { TABLES, TOPICS } from '../../../topics/catalogue.ts';
import type { AggregateRef } from '../../../topics/ports/store.ts';
import { folds } from '../../service/processors.ts';
import { recordMachineRead } from './audit.ts';
import { type Reader, withMachine, withReader } from './engine.ts';
import { listAll } from './rows.ts';
import { type Given, textOption, UsageError, type VerbResult, word } from './verb.ts';

/** Rows of one kind that are shown. */
const SHOWN_MAX = 200;

/** The folds of all products, whose schemas say what an aggregate holds. */
const FOLDS = folds(DEFAULT_LIMITS);

/** Shows the documents and outcomes of one aggregate, without what customers wrote unless `--private` asks for it. */
export async function showAggregate(given: Given): Promise<VerbResult> {
  if (given.options['private'] !== true) return await withReader(given, ({ store }) => read(given, store));
  return await withMachine(given, async (machine) => {
    await recordMachineRead(machine, 'operations.read-aggregate', aggregateIn(given));
    return await read(given, machine.engine.store);
  });
}

/** The aggregate that the command line names; the id of a workspace stands for its installation. */
function aggregateIn(given: Given): AggregateRef {
  const [named, id] = [word(given, 'table'), word(given, 'id')];
  const table = TABLES.find((each) => each === named);
  if (table === undefined) throw new Error(`reading the undeclared table ${named}`);
  return { table, id: idSchema('workspace').safeParse(id).success ? installationOf(id) : id };
}

async function read(given: Given, store: Reader['store']): Promise<VerbResult> {
  const ref = aggregateIn(given);
  const { table, id } = ref;
  const fold = FOLDS.find(({ topic }) => TOPICS[topic].table === table);
  if (fold === undefined) throw new Error(`reading the table ${table} without a fold`);
  const kinds = [...Object.keys(fold.rowSchemas), ...Object.values(RUNTIME_KINDS)];
  const kind = textOption(given, 'kind');
  if (kind !== null && !kinds.includes(kind))
    throw new UsageError(`kind: seen "${kind}"; expected one of ${kinds.join(', ')}`);
  const { root } = await store.read(ref, []);
  if (root === null)
    throw new UsageError(
      `id: seen "${id}", which ${table} does not have; expected an id as the console and the log show it, such as ins_…`,
    );
  const show = given.options['private'] === true ? (value: JsonObject) => value : hidingTexts(fold);
  const rows: JsonObject[] = [];
  for (const each of kind === null ? kinds : [kind]) {
    const found = await listAll(store, ref, each, SHOWN_MAX);
    rows.push(...found.map((row) => ({ kind: row.kind, id: row.id, document: show(row.document) })));
  }
  const { version, applied, document } = root;
  const data = { table, id, version, applied: { ...applied }, root: show(document), rows };
  return {
    data,
    lines: [
      `${table} ${id}, version ${version}, applied ${JSON.stringify(applied)}`,
      JSON.stringify(data.root, null, 2),
      ...rows.map((row) => `${row['kind']} ${row['id']} ${JSON.stringify(row['document'])}`),
    ],
  };
}

/**
 * Returns a function that hides each text and each name of a member which the schemas of the fold do not declare, but ids: all that a
 * customer can have chosen.
 */
function hidingTexts(fold: AnyFold): (document: JsonObject) => JsonObject {
  const declared = declaredWords(fold);
  const value = (each: JsonValue | undefined): JsonValue | undefined => {
    if (typeof each === 'string')
      return declared.has(each) || isId(each) ? each : `(hidden, ${each.length} characters)`;
    if (Array.isArray(each)) return each.map((item: JsonValue) => value(item) ?? null);
    return typeof each === 'object' && each !== null ? members(each as JsonObject) : each;
  };
  const members = (document: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(document).map(([name, member], index) => [
        declared.has(name) || isId(name) ? name : `(hidden ${index + 1})`,
        value(member),
      ]),
    );
  return members;
}

/** The names of members and the fixed values in all schemas of a fold. */
function declaredWords({ rootSchema, rowSchemas, commands }: AnyFold): ReadonlySet<string> {
  const results = Object.values(commands).map(({ result }) => result);
  const schemas = [runtimeRootSchema, rootSchema, ...Object.values(rowSchemas), ...results];
  const words = new Set(RUNTIME_WORDS);
  for (const schema of schemas)
    collect(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input', metadata: keywords }), words);
  return words;
}

/** The members and values of the rows that the runtime keeps (`schemas/base/outcome.ts`). */
const RUNTIME_WORDS = [
  'entity',
  'at',
  'pending',
  'input',
  'done',
  'refused',
  'deferred',
  'code',
  'message',
  'table',
];

function collect(schema: unknown, words: Set<string>): void {
  if (Array.isArray(schema)) for (const each of schema) collect(each, words);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  const {
    properties = {},
    enum: values = [],
    const: value,
  } = schema as {
    readonly properties?: object;
    readonly enum?: readonly unknown[];
    readonly const?: unknown;
  };
  for (const each of [...Object.keys(properties), ...values, value])
    if (typeof each === 'string') words.add(each);
  for (const each of Object.values(schema)) collect(each, words);
}
