// Loaded into the processes of a test run: derives the keys of passwords at a fraction of their cost, which is a quarter of a
// second each. The service has no setting for this; `gateway/people/password.test.ts` checks the cost that it asks for.
import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** The cost of `gateway/people/password.ts`. Hashes of another cost stay as they are. */
const FULL = 2 ** 15;
const CHEAP = { N: 2 ** 4, p: 1 };

const { scrypt } = crypto;

function cheapScrypt(
  password: string,
  salt: Buffer,
  bytes: number,
  options: ScryptOptions,
  callback: (error: Error | null, key: Buffer) => void,
): void {
  scrypt(password, salt, bytes, options.N === FULL ? { ...options, ...CHEAP } : options, callback);
}

Object.assign(crypto, { scrypt: cheapScrypt });
syncBuiltinESMExports();
