import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePortable } from '../../../schemas/base/portable.ts';
import { withSingleTypes } from '../../../schemas/base/wire.ts';
import type { ServiceInterface } from '../../service/interface.ts';
import { breaches, isObject, type Json, type JsonObject, readLoosely } from './compatibility.ts';
import { withoutReferences } from './references.ts';

/** The interface that users were promised, as it is committed beside this file. */
const FILES = {
  openapi: join(import.meta.dirname, 'openapi.snap.json'),
  topics: join(import.meta.dirname, 'topics.snap.json'),
  documents: join(import.meta.dirname, 'documents.snap.json'),
} as const;

interface Operation {
  readonly security: Json;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Json;
}

type Content = Readonly<Record<string, { readonly schema?: Json }>>;

interface TopicDescription {
  readonly kind: Json;
  readonly key: Json;
  readonly records: Readonly<Record<string, Json>>;
}

export function readPromise(): ServiceInterface {
  return {
    openapi: JSON.parse(readFileSync(FILES.openapi, 'utf8')),
    topics: JSON.parse(readFileSync(FILES.topics, 'utf8')),
    documents: JSON.parse(readFileSync(FILES.documents, 'utf8')),
  };
}

export function writePromise(current: ServiceInterface): void {
  for (const name of ['openapi', 'topics', 'documents'] as const) {
    writeFileSync(FILES[name], `${inLines(current[name] as Json, LINES_DEPTH[name])}\n`);
  }
}

/** An operation, a named schema, a record and a stored document lie that deep. */
const LINES_DEPTH = { openapi: 3, topics: 3, documents: 2 } as const;

/** JSON whose members have a line each, down to a depth: a change of one operation is a change of one line. */
function inLines(value: Json, depth: number, indent = ''): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${indent} ${JSON.stringify(name)}: ${inLines(member, depth - 1, `${indent} `)}`,
  );
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
}

/** Every promise that a new interface breaks, as sentences. Errors that a route may answer with are free to change. */
export function brokenGuarantees(before: ServiceInterface, after: ServiceInterface): string[] {
  const operations = operationsOf(after);
  const topics = topicsOf(after);
  return [
    ...Object.entries(operationsOf(before)).flatMap(([place, operation]) => {
      const now = operations[place];
      return now === undefined ? [`${place}: gone`] : brokenOperation(operation, now, place);
    }),
    ...Object.entries(topicsOf(before)).flatMap(([name, topic]) => {
      const now = topics[name];
      return now === undefined ? [`topic ${name}: gone`] : brokenTopic(topic, now, `topic ${name}`);
    }),
    ...eachSchema(documentsOf(before), documentsOf(after)).flatMap(({ place, held, now }) =>
      now === undefined ? [`${place}: gone`] : breaches(held, now, 'read', place),
    ),
  ];
}

/**
 * Everything that the older program of two cannot read of what the newer one writes into topics and the store, as sentences: it
 * meets that beside the newer one, and after a return to the older one. Unknown members are no such thing.
 */
export function unreadableBefore(before: ServiceInterface, after: ServiceInterface): string[] {
  const recordsOf = (described: ServiceInterface) =>
    new Map(Object.entries(topicsOf(described)).map(([name, { records }]) => [`topic ${name}`, records]));
  const topics = eachSchema(recordsOf(after), recordsOf(before));
  const documents = eachSchema(documentsOf(after), documentsOf(before));
  return [...topics, ...documents].flatMap(({ place, held, now: known }) =>
    known === undefined
      ? [`${place}: not known there`]
      : breaches(readLoosely(known), readLoosely(held), 'written', place),
  );
}

type SchemasByPlace = ReadonlyMap<string, Readonly<Record<string, Json>>>;

/** Yields the schemas of the first description, each with its counterpart. A place that the second lacks whole has none to compare. */
function eachSchema(first: SchemasByPlace, second: SchemasByPlace) {
  return [...first].flatMap(([name, schemas]) => {
    const others = second.get(name);
    if (others === undefined) return [];
    return Object.entries(schemas).map(([kind, held]) => ({
      place: `${name} ${kind}`,
      held,
      now: others[kind],
    }));
  });
}

function documentsOf({ documents }: ServiceInterface): SchemasByPlace {
  const tables = Object.entries(documents) as [string, Record<string, Json>][];
  return new Map(tables.map(([name, schemas]) => [`document ${name}`, schemas]));
}

function brokenOperation(before: Operation, after: Operation, place: string): string[] {
  const security = JSON.stringify(before.security) === JSON.stringify(after.security);
  return [
    ...(security ? [] : [`${place}: another credential`]),
    ...brokenParameters(before.parameters ?? [], after.parameters ?? [], place),
    ...brokenBody(before.requestBody?.content, after.requestBody?.content, place),
    ...Object.entries(before.responses)
      .filter(([status]) => Number(status) < 400)
      .flatMap(([status, response]) =>
        brokenResponse(response, after.responses[status], `${place} ${status}`),
      ),
  ];
}

function brokenParameters(
  before: readonly Parameter[],
  after: readonly Parameter[],
  place: string,
): string[] {
  const find = (list: readonly Parameter[], { name, in: where }: Parameter) =>
    list.find((other) => other.name === name && other.in === where);
  const changed = before.flatMap((parameter) => {
    const now = find(after, parameter);
    if (now === undefined) return [`${place}: the parameter ${parameter.name} is gone`];
    return breaches(parameter.schema, now.schema, 'read', `${place} ${parameter.name}`);
  });
  const asked = after.filter((parameter) => parameter.required && find(before, parameter)?.required !== true);
  return [...changed, ...asked.map(({ name }) => `${place}: the parameter ${name} is required now`)];
}

function brokenBody(before: Content | undefined, after: Content | undefined, place: string): string[] {
  if (before === undefined) return after === undefined ? [] : [`${place}: takes a body now`];
  return Object.entries(before).flatMap(([type, { schema = true }]) => {
    const now = after?.[type];
    if (now === undefined) return [`${place}: accepts no ${type} any more`];
    return breaches(schema, now.schema ?? true, 'read', `${place} body`);
  });
}

function brokenResponse(
  before: Operation['responses'][string],
  after: Operation['responses'][string] | undefined,
  place: string,
): string[] {
  if (after === undefined) return [`${place}: answers another status`];
  return Object.entries(before.content ?? {}).flatMap(([type, { schema = true }]) => {
    const now = after.content?.[type];
    if (now === undefined) return [`${place}: answers no ${type} any more`];
    return breaches(schema, now.schema ?? true, 'written', place);
  });
}

/** Records stay in a topic for days, so a new version has to read what an older one has written. */
function brokenTopic(before: TopicDescription, after: TopicDescription, place: string): string[] {
  const named = before.kind === after.kind && before.key === after.key;
  const records = Object.entries(before.records).flatMap(([type, schema]) => {
    const now = after.records[type];
    return now === undefined
      ? [`${place}: ${type} is gone`]
      : breaches(schema, now, 'read', `${place} ${type}`);
  });
  return [...(named ? [] : [`${place}: another kind or key`]), ...records];
}

function operationsOf({ openapi }: ServiceInterface): Readonly<Record<string, Operation>> {
  const { paths } = withoutReferences(inPortableForm(openapi as JsonObject)) as unknown as Record<
    'paths',
    Record<string, Record<string, Operation>>
  >;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  );
  return Object.fromEntries(operations);
}

/** Characters of sets that patterns of today leave to the service. */
const BEYOND_FFFF = /[\u{10000}-\u{10ffff}](?:-[\u{10000}-\u{10ffff}])?/gu;

/** A document whose rules are written in the forms of today, so that another form of the same rule is no change. */
function inPortableForm(document: JsonObject): JsonObject {
  const rewritten = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(rewritten);
    if (!isObject(value)) return value;
    const members = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, rewritten(member)]),
    );
    makePortable(members);
    const { pattern } = members;
    return typeof pattern === 'string' ? { ...members, pattern: pattern.replace(BEYOND_FFFF, '') } : members;
  };
  return withSingleTypes(rewritten(document) as JsonObject) as JsonObject;
}

function topicsOf({ topics }: ServiceInterface): Readonly<Record<string, TopicDescription>> {
  return topics as unknown as Record<string, TopicDescription>;
}
