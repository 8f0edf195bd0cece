import { type Fault, ServiceError } from '../../schemas/base/errors.ts';
import { REQUEST_ID_BYTES, requestIdFrom } from '../../schemas/base/ids.ts';
import type { PersonDocument } from '../../schemas/people/documents.ts';
import { type ThrottleRule, throttle } from '../http/callers/throttle.ts';
import type { PrincipalOf } from '../principals.ts';
import type { GatewayServices } from '../services.ts';
import { readPerson, verifiedPerson } from './verified-identity.ts';

type CounterServices = Pick<GatewayServices, 'counters' | 'clock' | 'limits'>;

const TOO_MANY: Fault = {
  at: 'request.rate',
  seen: 'too many wrong passwords',
  expected: 'fewer; wait before the next attempt',
};

/**
 * Runs a check of a password from outside, and counts it if the password is wrong: by account and address, by
 * address, and by account. An account without a person counts in the same way. An attempt is counted before it runs
 * and given back afterwards, so that parallel attempts cannot exceed the limit.
 *
 * @param verify rejects with `unauthorized` for a wrong password
 * @throws {ServiceError} `rate_limited` beyond a limit, for right and wrong passwords alike; also rethrows the errors
 *   of `verify`
 */
export async function attemptFromOutside<Result>(
  services: GatewayServices,
  { personKey, addressKey }: { readonly personKey: string; readonly addressKey: string },
  verify: () => Promise<Result>,
): Promise<Result> {
  const {
    signInsPerAccountAndAddress,
    signInsPerAddress,
    signInsPerAccount,
    signInWindowMs: windowMs,
  } = services.limits.console;
  const rules = [
    { key: `sign-in:${personKey}:${addressKey}`, limit: signInsPerAccountAndAddress, windowMs },
    { key: `sign-in-address:${addressKey}`, limit: signInsPerAddress, windowMs },
    { key: `sign-in-account:${personKey}`, limit: signInsPerAccount, windowMs },
  ];
  try {
    return await attempt(services, rules, verify);
  } catch (error) {
    if (isWrongPassword(error)) void recordRefusal(services, personKey, addressKey);
    throw error;
  }
}

/**
 * Records a refused sign-in in the audit logs of the person's organizations. The answer does not wait for it: its
 * time must not tell whether the person exists. The limits of attempts bound the number of records.
 */
async function recordRefusal(services: GatewayServices, personKey: string, address: string): Promise<void> {
  try {
    const person = await readPerson(services, personKey);
    if (person === null) return;
    const input = { address };
    await services.submit({
      topic: 'people',
      key: personKey,
      type: 'sign-in-refused',
      operation: 'sign-in-refused',
      idempotencyKey: null,
      digestInput: input,
      requestId: requestIdFrom(services.entropy.bytes(REQUEST_ID_BYTES)),
      actor: { kind: 'user', id: person.userId },
      input,
    });
  } catch {
    // The engines are down: so is every sign-in.
  }
}

/**
 * Returns the caller, if the password is right.
 *
 * @throws {ServiceError} `unauthorized` for a wrong password; `rate_limited` beyond the limit
 */
export async function verifiedCaller(
  services: GatewayServices,
  principal: Pick<PrincipalOf<'console'>, 'personKey' | 'sessionDigest'>,
  password: string,
): Promise<PersonDocument> {
  const { personKey } = principal;
  return await attemptOfCaller(services, principal, () =>
    verifiedPerson(services, personKey, password, personKey),
  );
}

/**
 * Runs a check of a password of the caller. Wrong ones count by session only, so that guesses of others do not lock the
 * person out.
 *
 * @param verify as of {@link attemptFromOutside}
 * @throws {ServiceError} `rate_limited` beyond the limit; also rethrows the errors of `verify`
 */
export async function attemptOfCaller<Result>(
  services: GatewayServices,
  { sessionDigest }: Pick<PrincipalOf<'console'>, 'sessionDigest'>,
  verify: () => Promise<Result>,
): Promise<Result> {
  const { signInsPerAccountAndAddress: limit, signInWindowMs: windowMs } = services.limits.console;
  const rules = [{ key: `own-password:${sessionDigest}`, limit, windowMs }];
  return await attempt(services, rules, verify);
}

async function attempt<Result>(
  services: CounterServices,
  rules: readonly ThrottleRule[],
  verify: () => Promise<Result>,
): Promise<Result> {
  const giveBack = await throttle(services, rules, TOO_MANY);
  try {
    const result = await verify();
    await giveBack();
    return result;
  } catch (error) {
    if (!isWrongPassword(error)) await giveBack();
    throw error;
  }
}

/** True for the refusal of a wrong password. */
export function isWrongPassword(error: unknown): boolean {
  return error instanceof ServiceError && error.refusal.code === 'unauthorized';
}
