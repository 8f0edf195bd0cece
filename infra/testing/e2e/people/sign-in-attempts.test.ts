import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import { AccountsService, type Received } from './accounts-service.fixture.ts';

const PASSWORD = 'correct horse battery staple';
const [PER_PAIR, PER_ADDRESS, PER_ACCOUNT] = [3, 4, 5];
const LIMITS = {
  ...DEFAULT_LIMITS,
  console: {
    ...DEFAULT_LIMITS.console,
    signInsPerAccountAndAddress: PER_PAIR,
    signInsPerAddress: PER_ADDRESS,
    signInsPerAccount: PER_ACCOUNT,
  },
};

let service: AccountsService;
let people = 0;
let addresses = 0;
let email: string;
let cookie: string;

beforeAll(async () => {
  service = await AccountsService.start(LIMITS);
});

afterAll(() => service.close());

// Each test has a new person and new addresses, because the clock of Redis cannot be moved.
beforeEach(async () => {
  people += 1;
  email = `person-${people}@example.com`;
  const json = { organization: 'Example', email, password: PASSWORD };
  cookie = cookieOf(await service.send('POST', '/v1/console/sign-up', { json }));
});

const cookieOf = (answer: Received) => String(answer.cookie).split(';')[0] ?? '';

function newAddress(): string {
  addresses += 1;
  return `203.0.113.${addresses}`;
}

const signIn = (address: string, password: string, of = email) =>
  service.send('POST', '/v1/console/sign-in', { json: { email: of, password }, address });

async function statuses(answers: readonly Promise<Received>[]): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status).sort();
}

const guesses = (count: number, address: string, of = email) =>
  statuses(Array.from({ length: count }, () => signIn(address, 'a wrong password', of)));

describe('wrong passwords', () => {
  it('are by default 10, 30 and 100 in 15 minutes', () => {
    expect(DEFAULT_LIMITS.console).toMatchObject({
      signInsPerAccountAndAddress: 10,
      signInsPerAddress: 30,
      signInsPerAccount: 100,
      signInWindowMs: 900_000,
    });
  });

  it('from one address lock only that address out of the account', async () => {
    const [attacker, owner] = [newAddress(), newAddress()];
    expect(await guesses(PER_PAIR + 1, attacker)).toEqual([401, 401, 401, 429]);
    const denied = await signIn(attacker, PASSWORD);
    expect([denied.status, denied.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(denied.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await signIn(owner, PASSWORD)).status).toBe(200);
  });

  it('count for an e-mail address without an account too', async () => {
    expect(await guesses(PER_PAIR + 1, newAddress(), 'mallory@example.com')).toEqual([401, 401, 401, 429]);
  });

  it('for many accounts lock an address out', async () => {
    const address = newAddress();
    const emails = Array.from({ length: PER_ADDRESS }, (_, number) => `guess-${number}@example.com`);
    expect(await statuses(emails.map((each) => signIn(address, 'guess', each)))).toEqual(
      emails.map(() => 401),
    );
    expect((await signIn(address, PASSWORD)).status).toBe(429);
    expect((await signIn(newAddress(), PASSWORD)).status).toBe(200);
  });

  it('from many addresses lock the account, but not a person who is signed in', async () => {
    for (let count = 0; count < PER_ACCOUNT; count += 1) await guesses(1, newAddress());
    expect((await signIn(newAddress(), PASSWORD)).status).toBe(429);
    const change = (current: string, next: string) =>
      service.send('POST', '/v1/console/password', { cookie, json: { current, next } });
    expect((await change(PASSWORD, 'another password 123')).status).toBe(204);
    expect((await change('another password 123', PASSWORD)).status).toBe(204);
    const wrong = Array.from({ length: PER_PAIR + 1 }, () => change('a wrong password', PASSWORD));
    expect(await statuses(wrong)).toEqual([401, 401, 401, 429]);
  });

  it('are still counted after a restart', async () => {
    const address = newAddress();
    await guesses(PER_PAIR, address);
    await service.restart();
    expect((await signIn(address, PASSWORD)).status).toBe(429);
  });
});

it('right passwords are not counted', async () => {
  const address = newAddress();
  for (let count = 0; count <= PER_ACCOUNT; count += 1) {
    expect((await signIn(address, PASSWORD)).status).toBe(200);
  }
  expect(await guesses(PER_PAIR, address)).toEqual([401, 401, 401]);
});
