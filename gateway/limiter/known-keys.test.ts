import { expect, it } from 'vitest';
import { idFrom } from '../../schemas/base/ids.ts';
import { limiterKeyDigest, limiterKeyFrom } from '../../schemas/limiter/keys.ts';
import { bytesOf, ORGANIZATION } from '../http/gateway.fixture.ts';
import { KnownKeys, REMEMBERED_KEYS_MAX } from './known-keys.ts';
import { LOOKUPS_OF_A_KEY, MissedKeys } from './missed-keys.ts';

const address = () => 'address';
const keyOf = (index: number) => limiterKeyFrom('live', bytesOf(`key ${index}`));
const targetOf = (digest: string) => ({
  organizationId: ORGANIZATION,
  keyId: idFrom('key', bytesOf(digest)),
  mode: 'live' as const,
});

it('looks a key up once, and once more after other keys have displaced it', async () => {
  let lookups = 0;
  const get = async ({ digest }: { readonly digest: string }) => {
    lookups += 1;
    return targetOf(digest);
  };
  const keys = new KnownKeys({ get }, new MissedKeys(1));
  for (let index = 0; index < REMEMBERED_KEYS_MAX; index += 1) await keys.find(keyOf(index), address);
  expect(await keys.find(keyOf(0), address)).toEqual(targetOf(limiterKeyDigest(keyOf(0))));
  expect(lookups).toBe(REMEMBERED_KEYS_MAX);
  await keys.find(keyOf(REMEMBERED_KEYS_MAX), address);
  await keys.find(keyOf(0), address);
  expect(lookups).toBe(REMEMBERED_KEYS_MAX + 2);
});

it('asks again for a key that did not exist: it may have been made since', async () => {
  let made = false;
  const keys = new KnownKeys(
    { get: async ({ digest }) => (made ? targetOf(digest) : null) },
    new MissedKeys(2),
  );
  expect(await keys.find(keyOf(1), address)).toBeNull();
  made = true;
  expect(await keys.find(keyOf(1), address)).not.toBeNull();
});

it('serves every request that comes while a new key is looked up for the first time', async () => {
  const answer = Promise.withResolvers<void>();
  let lookups = 0;
  const get = async ({ digest }: { readonly digest: string }) => {
    lookups += 1;
    await answer.promise;
    return targetOf(digest);
  };
  const keys = new KnownKeys({ get }, new MissedKeys(1));
  const found = Array.from({ length: 2 * LOOKUPS_OF_A_KEY }, async () => await keys.find(keyOf(1), address));
  answer.resolve();
  const target = targetOf(limiterKeyDigest(keyOf(1)));
  expect(await Promise.all(found)).toEqual(found.map(() => target));
  expect(lookups).toBe(1);
});
