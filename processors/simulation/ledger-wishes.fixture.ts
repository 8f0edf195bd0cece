import type { JsonObject } from '../../schemas/base/json.ts';
import type { Wish } from './client.fixture.ts';
import { ledger } from './ledger.fixture.ts';
import type { Random } from './random.fixture.ts';

/** Accounts of which some share a partition. */
export const ACCOUNTS = ['a', 'b', 'c'] as const;
const PASSES = ['p1', 'p2'] as const;
const WISHES = { least: 8, most: 20 } as const;
/** So large that a few of them fill an account. */
const AMOUNT_MAX = 90;

/** Draws what clients want of the ledger in one run. */
export function drawWishes(random: Random): readonly Wish[] {
  const wishes: Wish[] = [];
  const count = random.between(WISHES.least, WISHES.most);
  for (let number = 1; number <= count; number += 1) {
    const before = wishes.length === 0 || !random.chance(0.05) ? null : random.pick(wishes);
    wishes.push(before?.key == null ? draw(random, `k${number}`) : otherInput(random, before));
  }
  return wishes;
}

/** The same key with something else behind it, which may be refused and must not be answered. */
function otherInput(random: Random, before: Wish): Wish {
  return { ...draw(random, before.key ?? ''), type: 'deposit', input: { amount: AMOUNT_MAX + 1 } };
}

function draw(random: Random, key: string): Wish {
  const account = random.pick(ACCOUNTS);
  const other = random.pick(ACCOUNTS.filter((name) => name !== account));
  const amount = random.between(1, AMOUNT_MAX);
  const pass = `${account}-${random.pick(PASSES)}`;
  const drawn = random.fraction();
  const wish = (type: string, input: JsonObject, ownKey: string | null = key): Wish => ({
    topic: ledger.topic,
    aggregate: account,
    type,
    input,
    key: ownKey,
    repeatable: ownKey !== null,
  });
  if (drawn < 0.25) return wish('deposit', { amount });
  if (drawn < 0.35) return wish('withdraw', { amount });
  if (drawn < 0.6) return wish('transfer', { to: other, amount });
  if (drawn < 0.7) return wish('touch', {}, null);
  if (drawn < 0.8) return wish('issue', { pass });
  if (drawn < 0.86) return wish('revoke', { pass });
  if (drawn < 0.94) return wish('notify', { to: other });
  return wish('probe', {});
}
