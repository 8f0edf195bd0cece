import { expect, it } from 'vitest';
import { accounts, SUM_MAX } from '../../../infra/testing/accounts.fixture.ts';
import { EMPTY_ROOT } from '../../../schemas/base/aggregate-root.ts';
import type { Command } from '../../../schemas/base/command.ts';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { findOutcome, type Outcome } from '../../../schemas/base/outcome.ts';
import { WorkingSet } from '../aggregate/working-set.ts';
import { foldStep } from './fold-step.ts';

const COMMAND: Command = {
  envelope: 1,
  type: 'transfer',
  operation: 'accounts.transfer',
  key: 'k1',
  keyFrom: 'client',
  inputDigest: sha256Hex('input'),
  requestId: `req_${'0'.repeat(24)}`,
  replyTo: 'gateway-1',
  notAfter: null,
  issuedAt: 0,
  actor: { kind: 'agent', id: 'test' },
  input: { to: 'b', amount: 1 },
};

function fold(working: WorkingSet, changes: Partial<Command>): Outcome | null {
  const command = { ...COMMAND, ...changes };
  const input = { table: 'workspaces', aggregate: 'a', command, appendedAt: 1 };
  for (;;) {
    const step = foldStep(accounts, working, input);
    if (step.kind === 'folded') return step.outcome;
    working.load(step.rows, { root: null, rows: [] });
  }
}

it('lets a waiter find out where its command is decided after a refusal there has freed the key', () => {
  const working = new WorkingSet(accounts, EMPTY_ROOT);
  const outcome = fold(working, {});
  working.set({ kind: 'outcome', id: 'accounts.transfer:k1' }, null);
  const found = findOutcome(COMMAND, working.outcomeRows(COMMAND));
  expect(found?.outcome).toEqual(outcome);
  expect(outcome?.kind).toBe('deferred');
});

it.each([
  { keyFrom: 'client', again: 'done' },
  { keyFrom: 'command', again: 'refused' },
] as const)('decides a refused command again for a $keyFrom: $again', ({ keyFrom, again }) => {
  const working = new WorkingSet(accounts, EMPTY_ROOT);
  const add = (key: string, amount: number, from: Command['keyFrom'] = 'client') =>
    fold(working, { type: 'add', operation: 'add', key, keyFrom: from, input: { name: 'x', amount } })?.kind;
  expect(add('k1', SUM_MAX)).toBe('done');
  expect(add('k2', 1, keyFrom)).toBe('refused');
  expect(add('k3', -1)).toBe('done');
  expect(add('k2', 1, keyFrom)).toBe(again);
});
