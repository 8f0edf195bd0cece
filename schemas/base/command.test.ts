import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Envelope, parseCommand, readEnvelope } from './command.ts';
import { digestOf } from './digest.ts';

const table = {
  add: { input: z.strictObject({ name: z.string(), place: z.strictObject({ row: z.int() }).optional() }) },
};

const input = { name: 'x', place: { row: 1 } };
const envelope: Envelope = {
  ...{
    envelope: 1,
    type: 'add',
    operation: 'add',
    key: 'k',
    keyFrom: 'client',
    inputDigest: digestOf(input),
  },
  ...{ requestId: `req_${'a'.repeat(24)}`, replyTo: null, notAfter: null, issuedAt: 1 },
  ...{ actor: { kind: 'system', id: 'test' }, input },
};
const newer = {
  ...envelope,
  later: 1,
  actor: { ...envelope.actor, later: 2 },
  input: { ...input, later: 3, place: { row: 1, later: 4 } },
};

describe('parseCommand', () => {
  it('passes over members that only a newer release knows, and takes the rest', () => {
    expect(parseCommand(table, JSON.stringify(newer))).toEqual(envelope);
  });

  it.each([
    ['a member of another type', { ...envelope, input: { name: 1, later: 2 } }],
    ['a missing member', { ...envelope, input: { later: 2 } }],
    ['an unknown value', { ...envelope, keyFrom: 'elsewhere', later: 2 }],
  ])('refuses %s', (_, record) => {
    expect(() => parseCommand(table, JSON.stringify(record))).toThrow(z.ZodError);
  });
});

describe('readEnvelope', () => {
  it('keeps members that only a newer release knows', () => {
    expect(readEnvelope(JSON.stringify(newer))).toEqual(newer);
  });

  it('returns null for a record without an envelope', () => {
    expect([readEnvelope('no json'), readEnvelope('{}')]).toEqual([null, null]);
  });
});
