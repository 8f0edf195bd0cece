import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Command, parseCommand } from '../../../schemas/base/command.ts';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import type { CommandEffect } from '../fold/fold.ts';
import { followUp, pendingEffects } from './follow-up.ts';

const COMMAND: Command = {
  envelope: 1,
  type: 'transfer',
  operation: 'accounts.transfer',
  key: 'k1',
  keyFrom: 'client',
  inputDigest: sha256Hex('input'),
  requestId: `req_${'0'.repeat(24)}`,
  replyTo: null,
  notAfter: null,
  issuedAt: 0,
  actor: { kind: 'agent', id: 'test' },
  input: {},
};

const EFFECT: CommandEffect = {
  kind: 'command',
  topic: 'workspaces',
  key: 'b',
  type: 'receive',
  input: { amount: 1 },
};

function keysOf(sequence: number, effects: readonly CommandEffect[] = [EFFECT]): string[] {
  const made = pendingEffects(effects, COMMAND, { aggregate: 'a', now: 0, sequence }, 'workspaces');
  return made.map((effect) => (effect.kind === 'append' ? effect.envelope.key : ''));
}

describe('the key of a follow-up', () => {
  it('is the same however often its record is folded', () => {
    expect(keysOf(7)).toEqual(keysOf(7));
  });

  it('differs from those beside it', () => {
    expect(new Set(keysOf(7, [EFFECT, EFFECT])).size).toBe(2);
  });

  it('is another one when a key that was forgotten is used once more', () => {
    expect(keysOf(7)).not.toEqual(keysOf(8));
  });
});

describe('the input of a follow-up', () => {
  const effect = (input: CommandEffect['input']): CommandEffect => ({
    ...{ kind: 'command', topic: 'erasures', key: 'b', type: 'erase' },
    input,
  });
  const known = { topic: 'activate', aggregate: 'b' };

  it('is written as the schema of its type knows it', () => {
    expect(followUp(effect(known), COMMAND, { key: 'k2', at: 0 }).input).toEqual(known);
  });

  it('is refused with a member that its readers would pass over', () => {
    const unknown = effect({ ...known, later: 1 });
    expect(() => followUp(unknown, COMMAND, { key: 'k2', at: 0 })).toThrow(z.ZodError);
  });
});

describe('the trace of a follow-up', () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const table = { receive: { input: z.strictObject({ amount: z.int() }) } };
  const read = (command: Command) =>
    parseCommand(table, JSON.stringify(followUp(EFFECT, command, { key: 'k2', at: 0 })));

  it('is that of its command, and survives the record', () => {
    expect(read({ ...COMMAND, traceparent }).traceparent).toBe(traceparent);
  });

  it('is absent behind a command without one, as older releases write it', () => {
    expect(read(COMMAND)).not.toHaveProperty('traceparent');
  });
});
