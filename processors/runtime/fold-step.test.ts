import { expect, it } from 'vitest';
import { EMPTY_ROOT } from '../../schemas/base/aggregate-root.ts';
import type { Command } from '../../schemas/base/command.ts';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { findOutcome } from '../../schemas/base/outcome.ts';
import { accounts } from './accounts.fixture.ts';
import { foldStep } from './fold-step.ts';
import { WorkingSet } from './working-set.ts';

const TRANSFER: Command = {
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

it('lets a waiter find out where its command is decided after a refusal there has freed the key', () => {
  const working = new WorkingSet(accounts, EMPTY_ROOT);
  const input = { table: 'workspaces', aggregate: 'a', command: TRANSFER, appendedAt: 1 };
  let step = foldStep(accounts, working, input);
  while (step.kind === 'needs') {
    working.learn(step.rows, { root: null, rows: [] });
    step = foldStep(accounts, working, input);
  }
  working.set({ kind: 'outcome', id: 'accounts.transfer:k1' }, null);
  const found = findOutcome(TRANSFER, ({ kind, id }) => working.peek(kind, id) ?? null);
  expect(found?.outcome).toEqual(step.outcome);
  expect(step.outcome?.kind).toBe('deferred');
});
