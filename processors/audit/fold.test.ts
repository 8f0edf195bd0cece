import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditCommands } from '../../schemas/audit/commands.ts';
import {
  auditEntryId,
  auditLogId,
  auditLogOfMonth,
  auditMonthBefore,
  auditTimePosition,
  type EntryDocument,
} from '../../schemas/audit/documents.ts';
import { parseCommand } from '../../schemas/base/command.ts';
import { digestOf, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import { canonicalJson } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { handlerOf, scopeOf } from '../runtime/fold/fold.ts';
import { createAuditFold } from './fold.ts';

const organizationId = idFrom('organization', Buffer.alloc(15, 1));
const fold = createAuditFold(DEFAULT_LIMITS);

const entry: EntryDocument = {
  at: Date.UTC(2026, 10, 21),
  actor: { kind: 'user', id: idFrom('user', Buffer.alloc(15, 1)) },
  action: 'imports.approve-import',
  target: null,
  requestId: `req_${'0'.repeat(24)}`,
  detail: {},
};

/** The result of folding a `record` that arrives at `foldedAt`. */
function folded(input: EntryDocument, key: string, foldedAt = input.at) {
  const envelope = {
    envelope: 1,
    type: 'record',
    operation: 'record',
    key,
    keyFrom: 'command',
    inputDigest: digestOf(input),
    requestId: input.requestId,
    replyTo: null,
    notAfter: null,
    issuedAt: input.at,
    actor: { ...input.actor, organizationId },
    input,
  };
  const command = parseCommand(auditCommands, JSON.stringify(envelope));
  const row = () => expect.fail('reading a row');
  const context = { aggregate: auditLogId(organizationId, input.at), now: foldedAt, sequence: 1 };
  return handlerOf(fold, command).fold(scopeOf(fold, { root: null, row }, command, context));
}

const times = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });
const keys = fc.string().map(sha256Hex);

describe('record', () => {
  it('stores the entry unchanged', () => {
    expect(folded(entry, sha256Hex('key'))).toEqual({
      outcome: { kind: 'done', result: {} },
      put: [{ kind: 'entry', id: expect.any(String), document: entry }],
      remember: false,
    });
  });

  it('writes the same row when a command arrives again, at any time', () => {
    fc.assert(
      fc.property(times, keys, times, (at, key, later) => {
        const once = folded({ ...entry, at }, key);
        expect(canonicalJson(folded({ ...entry, at }, key, later))).toBe(canonicalJson(once));
      }),
    );
  });

  it('stores entries of one time by several commands in separate rows', () => {
    const rows = ['one', 'two'].map((key) => folded(entry, sha256Hex(key)).put?.[0]?.id);
    expect(new Set(rows).size).toBe(2);
  });
});

describe('auditEntryId', () => {
  it('sorts by time: after the position of its time and before the next', () => {
    fc.assert(
      fc.property(times, keys, (at, key) => {
        const id = auditEntryId(at, key);
        expect(auditTimePosition(at) < id && id < auditTimePosition(at + 1)).toBe(true);
      }),
    );
  });

  it('leads to the month of its log', () => {
    fc.assert(
      fc.property(times, keys, (at, key) => {
        const month = auditMonthBefore(auditEntryId(at, key));
        expect(auditLogOfMonth(organizationId, month)).toBe(auditLogId(organizationId, at));
      }),
    );
  });

  it('leads from the first moment of a month to the previous month', () => {
    expect(auditMonthBefore(auditTimePosition(Date.UTC(2026, 10, 1)))).toBe('2026-10');
    expect(auditMonthBefore(auditTimePosition(Date.UTC(2026, 10, 1, 0, 0, 0, 1)))).toBe('2026-11');
    expect(auditMonthBefore(auditTimePosition(0))).toBe('1969-12');
  });
});
