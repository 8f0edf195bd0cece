import { envelopeSchema } from '../../../schemas/base/command.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { comparePositions, type LogRecord } from '../../../topics/ports/log.ts';
import { type Account, BALANCE_MAX, EMPTY_ACCOUNT, TOO_LITTLE, TOO_MUCH } from './ledger.fixture.ts';
import type { Damage } from './model-store.fixture.ts';

// A second implementation of the ledger, without runtime, fold or store. It applies the rules of ARCHITECTURE.md to one
// record after the other, in the order of the log.

/** The allowance for the skew of clocks that the documentation states, in milliseconds. */
const TOLERANCE_MS = 2_000;

/** The answer to a record's client: a result, a refusal's code, or a place to look further. */
export type Decision =
  | { readonly kind: 'done'; readonly result: JsonObject }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'deferred' };

interface Remembered {
  readonly inputDigest: string;
  readonly decision: Decision;
  readonly entity: string | null;
  readonly at: number;
}

/** One account as it has to be in the end. */
export interface ReferenceAccount {
  now: number;
  sequence: number;
  account: Account | null;
  readonly rows: Map<string, JsonObject>;
  readonly remembered: Map<string, Remembered>;
}

/** The outcome of one record. */
export interface DecidedRecord {
  readonly record: LogRecord;
  readonly requestId: string;
  readonly type: string;
  readonly key: string;
  /** Null: it changed nothing, because it came too late or could not be folded. */
  readonly decision: Decision | null;
  readonly poisoned: boolean;
  /** True if it wanted a row that could not be read. */
  readonly unreadable?: boolean;
}

type Envelope = ReturnType<typeof envelopeSchema.parse>;
type Change = (before: ReferenceAccount, envelope: Envelope) => Decision;

export class LedgerReference {
  readonly accounts = new Map<string, ReferenceAccount>();
  readonly decidedRecords: DecidedRecord[] = [];

  readonly #damages: readonly Damage[];

  /** Takes the records of the ledger's topic, each partition in its order, and the rows that got unreadable. */
  constructor(records: readonly LogRecord[], damages: readonly Damage[]) {
    this.#damages = damages;
    for (const record of records) this.#add(record, envelopeSchema.parse(JSON.parse(record.value)));
  }

  #add(record: LogRecord, envelope: Envelope): void {
    const { requestId, type, key } = envelope;
    const named = { record, requestId, type, key };
    const account = this.#account(record.key);
    const now = Math.max(account.now, record.appendedAt);
    if (envelope.notAfter !== null && record.appendedAt > envelope.notAfter + TOLERANCE_MS) {
      account.now = now;
      account.sequence += 1;
      this.decidedRecords.push({ ...named, decision: null, poisoned: false });
      return;
    }
    const isOdd = (account.account?.balance ?? 0) % 2 === 1;
    const isProbed = type === 'probe' && isOdd && !account.remembered.has(`${type}:${key}`);
    const unreadable = this.#damages.some((damage) => wants(record, envelope, damage));
    const poisoned = isProbed || unreadable;
    if (poisoned) {
      this.decidedRecords.push({ ...named, decision: null, poisoned, unreadable });
      return;
    }
    account.now = now;
    account.sequence += 1;
    this.decidedRecords.push({ ...named, decision: decide(account, envelope), poisoned });
  }

  #account(id: string): ReferenceAccount {
    const known = this.accounts.get(id);
    if (known !== undefined) return known;
    const made: ReferenceAccount = {
      now: 0,
      sequence: 0,
      account: null,
      rows: new Map(),
      remembered: new Map(),
    };
    this.accounts.set(id, made);
    return made;
  }
}

/** True if a command names a row that cannot be read when it is folded. */
function wants(record: LogRecord, { type, input }: Envelope, { aggregate, row, after }: Damage): boolean {
  const names = (type === 'issue' || type === 'revoke') && row.kind === 'pass' && input['pass'] === row.id;
  return names && record.key === aggregate && comparePositions(record, after) > 0;
}

function decide(account: ReferenceAccount, envelope: Envelope): Decision {
  const { type, key, keyFrom, inputDigest } = envelope;
  const name = `${type}:${key}`;
  const known = account.remembered.get(name);
  if (keyFrom !== 'request' && known !== undefined) {
    const isSame = known.inputDigest === inputDigest;
    return isSame ? known.decision : { kind: 'refused', code: 'idempotency_conflict' };
  }
  if (type === 'answer-again') return answerAgain(account, envelope);
  if (type === 'forget-outcome') return forget(account, envelope);
  if (type === 'confirm-delivery' || type === 'delivery-confirmed') return NOTED;
  const change = CHANGES[type];
  if (change === undefined) throw new Error(`judging the unknown command ${type}`);
  const entity = type === 'transfer' ? `${key}/${account.sequence}` : null;
  const decision = change(account, envelope);
  if (keyFrom === 'command' || (keyFrom === 'client' && decision.kind !== 'refused')) {
    account.remembered.set(name, { inputDigest, decision, entity, at: account.now });
  }
  return decision;
}

/** The remembered outcome of a follow-up, for a repeat of the command that asked for it. */
function answerAgain({ remembered }: ReferenceAccount, { input }: Envelope): Decision {
  const known = remembered.get(`${input['operation']}:${input['key']}`);
  return known?.decision ?? { kind: 'refused', code: 'unavailable' };
}

const NOTED: Decision = { kind: 'done', result: {} };

function forget({ remembered }: ReferenceAccount, { input }: Envelope): Decision {
  const name = `${input['operation']}:${input['key']}`;
  if (remembered.get(name)?.at === input['at']) remembered.delete(name);
  return NOTED;
}

const CHANGES: Readonly<Record<string, Change>> = {
  deposit: (on, { input, key }) => move(on, Number(input['amount']), key),
  withdraw: (on, { input, key }) => move(on, -Number(input['amount']), key),
  transfer(on, { input, key }) {
    const amount = Number(input['amount']);
    const moved = move(on, -amount, `${key}/${on.sequence}`);
    if (moved.kind === 'refused') return moved;
    change(on, (account) => ({ reserved: account.reserved + amount }));
    return { kind: 'deferred' };
  },
  credit: (on, { input }) => move(on, Number(input['amount']), String(input['transfer'])),
  settle(on, { input }) {
    const amount = Number(input['amount']);
    const back = input['taken'] === true ? 0 : amount;
    if (input['taken'] === false) {
      on.rows.delete(`entry/${input['transfer']}`);
      for (const [name, { entity }] of on.remembered) {
        if (entity === input['transfer']) on.remembered.delete(name);
      }
    }
    return change(on, ({ reserved, balance }) => ({ reserved: reserved - amount, balance: balance + back }));
  },
  touch: (on) => change(on, ({ touches }) => ({ touches: touches + 1 })),
  probe: (on) => change(on, ({ touches }) => ({ touches: touches + 1 })),
  notify: (on) => change(on, () => ({})),
  noted: (on) => change(on, ({ notes }) => ({ notes: notes + 1 })),
  issue(on, { input }) {
    const pass = `pass/${input['pass']}`;
    if (on.rows.has(pass)) return { kind: 'refused', code: 'state_conflict' };
    on.rows.set(pass, { number: on.sequence });
    return change(on, () => ({}));
  },
  revoke(on, { input }) {
    on.rows.delete(`pass/${input['pass']}`);
    return change(on, () => ({}));
  },
};

function move(on: ReferenceAccount, amount: number, entry: string): Decision {
  const { balance, reserved } = on.account ?? EMPTY_ACCOUNT;
  if (balance + amount + reserved > BALANCE_MAX) return { kind: 'refused', code: TOO_MUCH.code };
  if (balance + amount < 0) return { kind: 'refused', code: TOO_LITTLE.code };
  on.rows.set(`entry/${entry}`, { amount, at: on.now });
  return change(on, () => ({ balance: balance + amount }));
}

function change(on: ReferenceAccount, changes: (before: Account) => Partial<Account>): Decision {
  const before = on.account ?? EMPTY_ACCOUNT;
  on.account = { ...before, ...changes(before), changedAt: on.now };
  return { kind: 'done', result: { balance: on.account.balance } };
}
