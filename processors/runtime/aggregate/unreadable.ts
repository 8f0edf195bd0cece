import { z } from 'zod';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { loadStored } from '../../../schemas/base/stored.ts';
import type { Position } from '../../../topics/ports/log.ts';
import { reasonOf } from '../dead-letters.ts';

/**
 * A stored document that its schema refuses: a damaged one, or one of a newer release. It exists, so it never counts as
 * absent and is never overwritten. Commands that want it go to the dead-letter queue (ARCHITECTURE.md, rule 13).
 */
export class UnreadableDocumentError extends Error {
  constructor(what: string, cause: unknown) {
    super(`reading ${what}: ${reasonOf(cause)}`, { cause });
    this.name = 'UnreadableDocumentError';
  }
}

/** An aggregate whose root or pending effects are unreadable, which concerns each of its commands. */
export class UnreadableAggregateError extends Error {
  /** The last folded record. The store keeps it beside the root's document. */
  readonly applied: Position | null;

  constructor(cause: UnreadableDocumentError, applied: Position | null) {
    super(cause.message, { cause });
    this.name = 'UnreadableAggregateError';
    this.applied = applied;
  }
}

/**
 * Parses a stored document and keeps members that only a newer release knows.
 *
 * @param what names the document in the reason, without its id
 * @throws {UnreadableDocumentError} if the schema refuses it
 */
export function loadDocument<Value>(what: string, schema: z.ZodType<Value>, document: unknown): Value {
  try {
    return loadStored(schema, document);
  } catch (error) {
    throw new UnreadableDocumentError(what, error);
  }
}

/**
 * Returns the members of an unreadable document that their own schemas accept. An erasure needs no more: it removes what these
 * lead to, and the row by its key.
 */
export function salvage(schema: z.ZodType | undefined, document: unknown): JsonObject {
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const known = schema.options.map((option) => salvage(option as z.ZodType, document));
    return known.sort((left, right) => Object.keys(right).length - Object.keys(left).length)[0] ?? {};
  }
  if (!(schema instanceof z.ZodObject) || typeof document !== 'object' || document === null) return {};
  const members = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, member]) => {
    const parsed = member.safeParse((document as JsonObject)[name]);
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(members);
}
