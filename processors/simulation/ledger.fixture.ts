import { z } from 'zod';
import { undeclaredResults } from '../../schemas/base/command.ts';
import { refusal } from '../../schemas/base/errors.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import type { AnyFold, Effect, FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import { defineSwitchingFold, type PlainFoldResult, type View } from '../runtime/unconverted.ts';

// A product small enough to be judged by a second, independent implementation: accounts with a floor and a ceiling,
// transfers between them, and passes that are found by a look-up.
const amountSchema = z.int().positive();

export const ledgerCommands = undeclaredResults({
  deposit: z.strictObject({ amount: amountSchema }),
  withdraw: z.strictObject({ amount: amountSchema }),
  /** Goes first to the payer, whose fold reserves; the payee's fold decides and answers. */
  transfer: z.strictObject({ to: z.string(), amount: amountSchema }),
  credit: z.strictObject({ from: z.string(), amount: amountSchema, transfer: z.string() }),
  /** The payee has taken it, or not: what was reserved is gone, or comes back. */
  settle: z.strictObject({ amount: amountSchema, transfer: z.string(), taken: z.boolean() }),
  /** Counts each time that it is folded, and nobody remembers its key. */
  touch: z.strictObject({}),
  issue: z.strictObject({ pass: z.string() }),
  revoke: z.strictObject({ pass: z.string() }),
  notify: z.strictObject({ to: z.string() }),
  noted: z.strictObject({ by: z.string() }),
  /** Cannot be folded while the balance is odd. */
  probe: z.strictObject({}),
});

export const BALANCE_MAX = 200;

const accountSchema = z.strictObject({
  balance: z.int().min(0),
  /** What is on its way to others. Together with the balance it never passes the ceiling. */
  reserved: z.int().min(0),
  touches: z.int(),
  notes: z.int(),
  /** The time of the last change. */
  changedAt: z.int(),
});
export type Account = z.infer<typeof accountSchema>;

export const EMPTY_ACCOUNT: Account = { balance: 0, reserved: 0, touches: 0, notes: 0, changedAt: 0 };

const rowSchemas = {
  /** What one command has moved. */
  entry: z.strictObject({ amount: z.int(), at: z.int() }),
  /** A pass that holds. */
  pass: z.strictObject({ number: z.int() }),
};
type LedgerRows = { [Kind in keyof typeof rowSchemas]: z.infer<(typeof rowSchemas)[Kind]> };

type Result = PlainFoldResult<Account, LedgerRows>;

export const TOO_MUCH = refusal('limit_reached', {
  at: 'plan.account',
  seen: 'a full one',
  expected: 'room',
});
export const TOO_LITTLE = refusal('state_conflict', { at: 'plan.account', seen: 'less', expected: 'enough' });

const ledgerFold = defineSwitchingFold<Account, LedgerRows, typeof ledgerCommands>({
  topic: 'workspaces',
  commands: ledgerCommands,
  limits: DEFAULT_LIMITS,
  rootSchema: accountSchema,
  rowSchemas,
  reads(command) {
    switch (command.type) {
      case 'issue':
      case 'revoke':
        return [{ kind: 'pass', id: command.input.pass }];
      default:
        return [];
    }
  },
  fold(view, command, context) {
    const account = view.root ?? EMPTY_ACCOUNT;
    switch (command.type) {
      case 'deposit':
        return move(account, command.input.amount, command.key, context);
      case 'withdraw':
        return move(account, -command.input.amount, command.key, context);
      case 'transfer': {
        const { to, amount } = command.input;
        return reserve(account, { to, amount, key: command.key }, context);
      }
      case 'credit':
        return credit(account, command.input, context);
      case 'settle':
        return settle(account, command.input, context);
      case 'touch':
        return done(account, { touches: account.touches + 1 }, context);
      case 'issue':
        return issue(view, command.input.pass, context);
      case 'revoke':
        return revoke(account, command.input.pass, context);
      case 'notify':
        return {
          ...done(account, {}, context),
          effects: [commandTo(command.input.to, 'noted', { by: command.key })],
        };
      case 'noted':
        return done(account, { notes: account.notes + 1 }, context);
      case 'probe':
        if (account.balance % 2 === 1) throw new Error('probing an odd balance');
        return done(account, { touches: account.touches + 1 }, context);
    }
  },
});

export const ledger: AnyFold = ledgerFold;

function done(account: Account, changes: Partial<Account>, { now }: FoldContext): Result {
  const next = { ...account, ...changes, changedAt: now };
  return { outcome: { kind: 'done', result: { balance: next.balance } }, root: next };
}

function move(account: Account, amount: number, key: string, context: FoldContext): Result {
  const balance = account.balance + amount;
  if (balance + account.reserved > BALANCE_MAX) return refused(TOO_MUCH);
  if (balance < 0) return refused(TOO_LITTLE);
  return {
    ...done(account, { balance }, context),
    put: [{ kind: 'entry', id: key, document: { amount, at: context.now } }],
  };
}

function reserve(
  account: Account,
  { to, amount, key }: { readonly to: string; readonly amount: number; readonly key: string },
  context: FoldContext,
): Result {
  // A transfer may be tried again after its refund: each attempt is a transfer of its own.
  const transfer = `${key}/${context.sequence}`;
  const moved = move(account, -amount, transfer, context);
  if (moved.outcome.kind === 'refused') return moved;
  return {
    ...moved,
    outcome: { kind: 'deferred' },
    root: { ...account, ...moved.root, reserved: account.reserved + amount },
    effects: [{ ...commandTo(to, 'credit', { from: context.aggregate, amount, transfer }), answers: true }],
    remember: { entity: transfer },
  };
}

function credit(
  account: Account,
  { from, amount, transfer }: z.infer<typeof ledgerCommands.credit.input>,
  context: FoldContext,
): Result {
  const moved = move(account, amount, transfer, context);
  const taken = moved.outcome.kind === 'done';
  return { ...moved, effects: [commandTo(from, 'settle', { amount, transfer, taken })] };
}

function settle(
  account: Account,
  { amount, transfer, taken }: z.infer<typeof ledgerCommands.settle.input>,
  context: FoldContext,
): Result {
  const reserved = account.reserved - amount;
  if (taken) return done(account, { reserved }, context);
  return {
    ...done(account, { reserved, balance: account.balance + amount }, context),
    remove: [{ kind: 'entry', id: transfer }],
    forget: [transfer],
  };
}

function issue({ root, row }: View<Account, LedgerRows>, pass: string, context: FoldContext): Result {
  if (row('pass', pass) !== null)
    return refused(
      refusal('state_conflict', { at: 'plan.pass', seen: 'one that is out', expected: 'a free one' }),
    );
  return {
    ...done(root ?? EMPTY_ACCOUNT, {}, context),
    put: [{ kind: 'pass', id: pass, document: { number: context.sequence } }],
    effects: [pointer(pass, { account: context.aggregate, number: context.sequence })],
  };
}

function revoke(account: Account, pass: string, context: FoldContext): Result {
  return {
    ...done(account, {}, context),
    remove: [{ kind: 'pass', id: pass }],
    effects: [pointer(pass, null)],
  };
}

function pointer(pass: string, target: { account: string; number: number } | null): Effect {
  return { kind: 'lookup', lookup: { kind: 'credential', digest: pass, target, expiresAt: null } };
}

function commandTo(account: string, type: keyof typeof ledgerCommands, input: JsonObject) {
  return { kind: 'command', topic: 'workspaces', key: account, type, input } as const;
}
