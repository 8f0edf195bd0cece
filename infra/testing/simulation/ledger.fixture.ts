import { z } from 'zod';
import {
  type CommandHandlers,
  defineFold,
  type Effect,
  type FoldContext,
  type FoldResult,
  type FoldTypes,
  type Scope,
} from '../../../processors/runtime/fold/fold.ts';
import { refused } from '../../../processors/runtime/fold/results.ts';
import type { CommandTable } from '../../../schemas/base/command.ts';
import { refusal } from '../../../schemas/base/errors.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';

// A product small enough to be judged by a second, independent implementation: accounts with a floor and a ceiling,
// transfers between them, and passes that are found by a look-up.
const amountSchema = z.int().positive();

const balanceSchema = z.strictObject({ balance: z.int() });

export const ledgerCommands = {
  deposit: { input: z.strictObject({ amount: amountSchema }), result: balanceSchema },
  withdraw: { input: z.strictObject({ amount: amountSchema }), result: balanceSchema },
  /** Goes first to the payer, whose fold reserves; the payee's fold decides and answers. */
  transfer: { input: z.strictObject({ to: z.string(), amount: amountSchema }), result: balanceSchema },
  credit: {
    input: z.strictObject({ from: z.string(), amount: amountSchema, transfer: z.string() }),
    result: balanceSchema,
  },
  /** The payee has taken it, or not: what was reserved is gone, or comes back. */
  settle: {
    input: z.strictObject({ amount: amountSchema, transfer: z.string(), taken: z.boolean() }),
    result: balanceSchema,
  },
  /** Counts each time that it is folded; its key is not remembered. */
  touch: { input: z.strictObject({}), result: balanceSchema },
  issue: { input: z.strictObject({ pass: z.string() }), result: balanceSchema },
  revoke: { input: z.strictObject({ pass: z.string() }), result: balanceSchema },
  notify: { input: z.strictObject({ to: z.string() }), result: balanceSchema },
  noted: { input: z.strictObject({ by: z.string() }), result: balanceSchema },
  /** Cannot be folded while the balance is odd. */
  probe: { input: z.strictObject({}), result: balanceSchema },
} as const satisfies CommandTable;

export const BALANCE_MAX = 200;

const accountSchema = z.strictObject({
  balance: z.int().min(0),
  /** The money on its way to others. Together with the balance it never passes the ceiling. */
  reserved: z.int().min(0),
  touches: z.int(),
  notes: z.int(),
  /** The time of the last change. */
  changedAt: z.int(),
});
export type Account = z.infer<typeof accountSchema>;

export const EMPTY_ACCOUNT: Account = { balance: 0, reserved: 0, touches: 0, notes: 0, changedAt: 0 };

const rowSchemas = {
  /** The money that one command has moved. */
  entry: z.strictObject({ amount: z.int(), at: z.int() }),
  /** A pass that holds. */
  pass: z.strictObject({ number: z.int() }),
};
type LedgerRows = { [Kind in keyof typeof rowSchemas]: z.infer<(typeof rowSchemas)[Kind]> };

interface LedgerFold extends FoldTypes {
  readonly commands: typeof ledgerCommands;
  readonly root: Account;
  readonly rows: LedgerRows;
}

type Result = FoldResult<LedgerFold>;

export const TOO_MUCH = refusal('limit_reached', {
  at: 'plan.account',
  seen: 'a full one',
  expected: 'room',
});
export const TOO_LITTLE = refusal('state_conflict', { at: 'plan.account', seen: 'less', expected: 'enough' });

const handlers: CommandHandlers<LedgerFold> = {
  deposit: {
    fold: ({ root, input, envelope, context }) => move(root, input.amount, envelope.key, context),
  },
  withdraw: {
    fold: ({ root, input, envelope, context }) => move(root, -input.amount, envelope.key, context),
  },
  transfer: {
    fold: ({ root, input, envelope, context }) => reserve(root, { ...input, key: envelope.key }, context),
  },
  credit: { fold: ({ root, input, context }) => credit(root, input, context) },
  settle: { fold: ({ root, input, context }) => settle(root, input, context) },
  touch: { fold: ({ root, context }) => done(root, { touches: root.touches + 1 }, context) },
  issue: { reads: ({ input }) => [passRow(input.pass)], fold: issue },
  revoke: {
    reads: ({ input }) => [passRow(input.pass)],
    fold: ({ root, input: { pass }, context }) => ({
      ...done(root, {}, context),
      remove: [passRow(pass)],
      effects: [pointer(pass, null)],
    }),
  },
  notify: {
    fold: ({ root, input, envelope, context }) => ({
      ...done(root, {}, context),
      effects: [commandTo(input.to, 'noted', { by: envelope.key })],
    }),
  },
  noted: { fold: ({ root, context }) => done(root, { notes: root.notes + 1 }, context) },
  probe: {
    fold({ root, context }) {
      if (root.balance % 2 === 1) throw new Error('probing an odd balance');
      return done(root, { touches: root.touches + 1 }, context);
    },
  },
};

export const ledger = defineFold<LedgerFold>({
  topic: 'workspaces',
  commands: ledgerCommands,
  rootSchema: accountSchema,
  rowSchemas,
  emptyRoot: EMPTY_ACCOUNT,
  limits: DEFAULT_LIMITS,
  handlers,
});

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
  // A transfer may be tried again after its refund: each attempt is a separate transfer.
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

function issue({ root, row, input: { pass }, context }: Scope<LedgerFold, 'issue'>): Result {
  if (row('pass', pass) !== null)
    return refused(
      refusal('state_conflict', { at: 'plan.pass', seen: 'one that is out', expected: 'a free one' }),
    );
  return {
    ...done(root, {}, context),
    put: [{ ...passRow(pass), document: { number: context.sequence } }],
    effects: [pointer(pass, { account: context.aggregate, number: context.sequence })],
  };
}

function passRow(pass: string) {
  return { kind: 'pass', id: pass } as const;
}

function pointer(pass: string, target: { account: string; number: number } | null): Effect {
  return { kind: 'index', entry: { kind: 'credential', digest: pass, target, expiresAt: null } };
}

function commandTo(account: string, type: keyof typeof ledgerCommands, input: JsonObject) {
  return { kind: 'command', topic: 'workspaces', key: account, type, input } as const;
}
