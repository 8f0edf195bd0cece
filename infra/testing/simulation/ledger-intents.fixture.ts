import type { JsonObject } from '../../../schemas/base/json.ts';
import type { Intent } from './client.fixture.ts';
import { ledger } from './ledger.fixture.ts';
import type { Random } from './random.fixture.ts';

/** Accounts of which some share a partition. */
export const ACCOUNTS = ['a', 'b', 'c'] as const;
const PASSES = ['p1', 'p2'] as const;
const INTENTS = { least: 8, most: 20 } as const;
/** So large that a few of them fill an account. */
const AMOUNT_MAX = 90;

/** Draws what clients want of the ledger in one run. */
export function drawIntents(random: Random): readonly Intent[] {
  const intents: Intent[] = [];
  const count = random.between(INTENTS.least, INTENTS.most);
  for (let number = 1; number <= count; number += 1) {
    const before = intents.length === 0 || !random.chance(0.05) ? null : random.pick(intents);
    intents.push(before?.key == null ? draw(random, `k${number}`) : otherInput(random, before));
  }
  return intents;
}

/** The same key with something else behind it, which may be refused and must not be answered. */
function otherInput(random: Random, before: Intent): Intent {
  return { ...draw(random, before.key ?? ''), type: 'deposit', input: { amount: AMOUNT_MAX + 1 } };
}

function draw(random: Random, key: string): Intent {
  const account = random.pick(ACCOUNTS);
  const other = random.pick(ACCOUNTS.filter((name) => name !== account));
  const amount = random.between(1, AMOUNT_MAX);
  const pass = `${account}-${random.pick(PASSES)}`;
  const drawn = random.fraction();
  const intent = (type: string, input: JsonObject, ownKey: string | null = key): Intent => ({
    topic: ledger.topic,
    aggregate: account,
    type,
    input,
    key: ownKey,
    repeatable: ownKey !== null,
  });
  if (drawn < 0.25) return intent('deposit', { amount });
  if (drawn < 0.35) return intent('withdraw', { amount });
  if (drawn < 0.6) return intent('transfer', { to: other, amount });
  if (drawn < 0.7) return intent('touch', {}, null);
  if (drawn < 0.8) return intent('issue', { pass });
  if (drawn < 0.86) return intent('revoke', { pass });
  if (drawn < 0.94) return intent('notify', { to: other });
  return intent('probe', {});
}
