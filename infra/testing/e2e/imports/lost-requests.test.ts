import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../../schemas/base/time.ts';
import type { AccountsService } from '../people/accounts-service.fixture.ts';
import { PASSWORD, type People, servePeople } from '../people/people.fixture.ts';

let service: AccountsService;
let people: People;

servePeople((started) => {
  ({ service, people } = started);
});

describe('data of a request without an effect', () => {
  const WAIT = { timeout: 90_000, interval: 20 };

  /** Lets the sweep meet what was written so far; it sleeps by another clock than ours. */
  async function afterTheSweep(): Promise<void> {
    service.clock.advance(2 * HOUR_MS);
    await service.restart();
  }

  it('is removed after an hour, and what a person has is not', async () => {
    const owner = await people.signUp();
    await afterTheSweep();
    const before = await service.identities();
    service.topicDown = 'organizations';
    const json = { organization: 'Lost', email: people.newEmail(), password: PASSWORD };
    expect((await service.send('POST', '/v1/console/sign-up', { json })).status).toBe(503);
    service.topicDown = null;
    expect(await service.identities()).toHaveLength(before.length + 1);
    await afterTheSweep();
    await expect.poll(() => service.identities(), WAIT).toEqual(before);
    expect((await people.signIn(owner.email)).status).toBe(200);
    expect((await service.send('POST', '/v1/console/sign-up', { json })).status).toBe(201);
  });

  it('is not written at all if it cannot be announced', async () => {
    const before = await service.identities();
    service.topicDown = 'people';
    const json = { organization: 'Lost', email: people.newEmail(), password: PASSWORD };
    expect((await service.send('POST', '/v1/console/sign-up', { json })).status).toBe(503);
    service.topicDown = null;
    expect(await service.identities()).toEqual(before);
  });
});
