import { runtimeRootSchema } from '../../../schemas/base/aggregate-root.ts';
import { canonicalJson, type JsonObject } from '../../../schemas/base/json.ts';
import type { LogRecord } from '../../../topics/ports/log.ts';
import type { Attempt, Clients, Intent, Observed } from './client.fixture.ts';
import { BALANCE_MAX, EMPTY_ACCOUNT } from './ledger.fixture.ts';
import { type DecidedRecord, LedgerReference, type ReferenceAccount } from './ledger-reference.fixture.ts';
import { envelopeOf } from './refold.fixture.ts';
import type { World } from './world.fixture.ts';

/** The guarantees for a client at the moment of its answer (ARCHITECTURE.md, rule 6). */
export function brokenGuarantees(world: World, { intent, observed }: Attempt): readonly string[] {
  if (observed?.kind !== 'done') return [];
  const { type, input, key } = intent;
  const has = (followUp: string, isIt: (input: Record<string, unknown>) => boolean): boolean =>
    world.log.records().some((record) => {
      const envelope = envelopeOf(record);
      return envelope['type'] === followUp && isIt(envelope['input'] as Record<string, unknown>);
    });
  switch (type) {
    case 'issue': {
      const entry = world.digestIndex.entry({ kind: 'credential', digest: String(input['pass']) });
      return entry === null ? [`${key}: observed a pass that leads nowhere`] : [];
    }
    case 'notify':
      return has('noted', ({ by }) => by === key) ? [] : [`${key}: observed a note before it was sent`];
    case 'transfer':
      return has('settle', ({ transfer }) => String(transfer).startsWith(`${key}/`))
        ? []
        : [`${key}: observed a transfer before it was settled`];
    default:
      return [];
  }
}

/** Holds what happened against what should have. Empty: nothing is wrong. */
export function checkLedger(world: World, clients: Clients): readonly string[] {
  const records = world.log.records().filter(({ topic }) => topic === 'workspaces');
  const reference = new LedgerReference(records, world.store.damages);
  return [
    ...checkAccounts(world, reference),
    ...checkMoney(reference),
    ...checkAnswers(clients, reference),
    ...checkDeadLetters(world, reference),
    ...checkPasses(world, reference),
  ];
}

/** Every aggregate is what its records come to. */
function checkAccounts(world: World, reference: LedgerReference): string[] {
  const stored = new Map(world.store.aggregates().map(({ ref, snapshot }) => [ref.id, snapshot]));
  const violations: string[] = [];
  for (const [id, expected] of reference.accounts) {
    const snapshot = stored.get(id);
    const root = snapshot?.root == null ? null : runtimeRootSchema.parse(snapshot.root.document);
    const rows = Object.fromEntries(
      (snapshot?.rows ?? [])
        .filter(({ kind }) => ['entry', 'pass'].includes(kind))
        .map(({ kind, id: row, document }) => [`${kind}/${row}`, document]),
    );
    const seen = canonicalJson({ account: root?.state ?? null, now: root?.now ?? 0, rows });
    const wanted = canonicalJson(expectedOf(expected));
    if (seen !== wanted) violations.push(`account ${id}: ${seen} instead of ${wanted}`);
    const remembered = (snapshot?.rows ?? []).filter(({ kind }) => kind === 'outcome').map((row) => row.id);
    const names = [...expected.remembered.keys()];
    if (canonicalJson(remembered.sort()) !== canonicalJson(names.sort())) {
      violations.push(`account ${id}: remembers ${remembered.join()} instead of ${names.join()}`);
    }
  }
  return violations;
}

function expectedOf({ account, now, rows }: ReferenceAccount) {
  return { account, now, rows: Object.fromEntries(rows) };
}

/** Limits are exact, nothing is reserved in the end, and no money comes from nowhere. */
function checkMoney({ accounts, decidedRecords }: LedgerReference): string[] {
  const violations: string[] = [];
  let held = 0;
  for (const [id, { account }] of accounts) {
    const { balance, reserved } = account ?? EMPTY_ACCOUNT;
    held += balance;
    if (reserved !== 0) violations.push(`account ${id}: ${reserved} stay reserved`);
    if (balance < 0 || balance > BALANCE_MAX) violations.push(`account ${id}: holds ${balance}`);
  }
  const moved = new Map<string, number>();
  for (const { record, type, key, decision } of decidedRecords) {
    if (decision?.kind !== 'done' || (type !== 'deposit' && type !== 'withdraw')) continue;
    const amount = Number((envelopeOf(record)['input'] as { amount: number }).amount);
    moved.set(`${record.key} ${type} ${key}`, type === 'deposit' ? amount : -amount);
  }
  const brought = [...moved.values()].reduce((sum, amount) => sum + amount, 0);
  if (held !== brought) violations.push(`the accounts hold ${held}, and ${brought} were brought`);
  return violations;
}

/** Every client learns its answer in the end, the answer is what a fold decided, and the answer to a key never changes. */
function checkAnswers(clients: Clients, { decidedRecords }: LedgerReference): string[] {
  const violations = clients.unknown().map(({ key }) => `${key}: its answer never became known`);
  for (const attempt of clients.attempts) {
    const { intent, requestId, observed } = attempt;
    const name = `${intent.type} ${intent.key ?? requestId}`;
    if (observed === null) violations.push(`${name}: still waits`);
    else if (!decidedRecords.some((one) => decides(one, attempt) && allows(one, observed))) {
      violations.push(`${name}: observed ${canonicalJson(observed)}, which no fold decided`);
    }
  }
  return [...violations, ...checkConstancy(clients)];
}

function checkConstancy({ attempts }: Clients): string[] {
  const results = new Map<Intent, Set<string>>();
  for (const { intent, observed } of attempts) {
    if (observed?.kind !== 'done' || intent.key === null) continue;
    results.set(intent, (results.get(intent) ?? new Set()).add(canonicalJson(observed.result)));
  }
  return [...results].flatMap(([{ key }, seen]) =>
    seen.size > 1 ? [`${key}: ${[...seen].join(' and ')}`] : [],
  );
}

/** True if a record can have decided about an attempt: its own, or, for `done`, another one with its key. */
function decides(
  { record, requestId, type, key }: DecidedRecord,
  { intent, requestId: own, observed }: Attempt,
): boolean {
  if (requestId === own || observed?.kind === 'unknown') return true;
  if (intent.key === null || observed?.kind !== 'done') return false;
  const input = envelopeOf(record)['input'] as JsonObject;
  return type === 'credit'
    ? String(input['transfer']).startsWith(`${intent.key}/`)
    : type === intent.type && key === intent.key && canonicalJson(input) === canonicalJson(intent.input);
}

function allows({ decision, poisoned }: DecidedRecord, observed: Observed): boolean {
  switch (observed.kind) {
    case 'unknown':
      return true;
    case 'refused':
      return poisoned
        ? observed.refusal.code === 'internal_error'
        : decision?.kind === 'refused' && decision.code === observed.refusal.code;
    case 'done':
      return decision?.kind === 'done' && canonicalJson(decision.result) === canonicalJson(observed.result);
  }
}

/** Exactly the records that cannot be folded are put aside. */
function checkDeadLetters(world: World, { decidedRecords }: LedgerReference): string[] {
  const letters = world.log.records().filter(({ topic }) => topic === 'dead-letters');
  const aside = new Set(
    letters.map((letter) => {
      return nameOf(envelopeOf(letter)['input'] as unknown as Place);
    }),
  );
  return decidedRecords.flatMap(({ record, poisoned }) => {
    if (aside.has(nameOf(record)) === poisoned) return [];
    return [`record ${nameOf(record)}: ${poisoned ? 'is lost' : 'is put aside and folded'}`];
  });
}

type Place = Pick<LogRecord, 'generation' | 'partition' | 'offset'>;

function nameOf({ generation, partition, offset }: Place): string {
  return `${generation}/${partition}:${offset}`;
}

/** A look-up leads to a pass that is out, and nowhere otherwise. */
function checkPasses(world: World, { accounts }: LedgerReference): string[] {
  const violations: string[] = [];
  for (const [id, { rows }] of accounts) {
    for (const name of [`${id}-p1`, `${id}-p2`]) {
      const row = rows.get(`pass/${name}`);
      const wanted = row === undefined ? null : { account: id, number: row['number'] };
      const target = world.digestIndex.entry({ kind: 'credential', digest: name })?.target ?? null;
      if (canonicalJson(target) !== canonicalJson(wanted)) {
        violations.push(
          `pass ${name}: leads to ${canonicalJson(target)} instead of ${canonicalJson(wanted)}`,
        );
      }
    }
  }
  return violations;
}
