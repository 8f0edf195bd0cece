import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { type Fault, serviceError } from '../../schemas/base/errors.ts';
import { Semaphore } from '../../schemas/base/semaphore.ts';
import { Shares } from '../../schemas/base/shares.ts';

/** The cost of one hash (RFC 7914): `N` = 2^`logN`, so that 128·N·r bytes of memory are filled, `p` times. */
interface Cost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB, three times: one of the settings that OWASP's Password Storage Cheat Sheet holds equal. */
const COST: Cost = { logN: 15, r: 8, p: 3 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Hashes that run at once, each with its memory and a thread, and that wait for their turn. */
const HASHES_RUNNING_MAX = 2;
export const HASHES_WAITING_MAX = 64;

const RETRY_AFTER_SECONDS = 2;

const SHARE_FULL: Fault = {
  at: 'request.rate',
  seen: 'more passwords that wait to be checked than the share of one caller',
  expected: 'fewer at the same time',
};

const queueFull = () =>
  serviceError('unavailable', 'Too many sign-ins wait for their turn.', RETRY_AFTER_SECONDS);

const hashes = new Semaphore({
  runningMax: HASHES_RUNNING_MAX,
  waitingMax: HASHES_WAITING_MAX,
  refuse: queueFull,
});

/** By address, or by person for a caller who is signed in. */
const shares = new Shares(HASHES_RUNNING_MAX + HASHES_WAITING_MAX);

/**
 * Makes a password's verifier: `$scrypt$ln=…,r=…,p=…$salt$hash` (PHC string format). The format names the cost, so
 * verifiers of another cost stay valid. The password counts in Unicode NFKC, because keyboards differ in how they
 * write one character.
 *
 * @param holder whose share of the hashes is taken
 * @throws {ServiceError} `rate_limited` beyond the holder's share; `unavailable` if other holders have everything
 */
export async function createPasswordVerifier(password: string, holder: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await inShare(holder, () => hashPassword(password, salt, COST));
  return formatVerifier(salt, hash);
}

/**
 * True if a verifier was made from this password. Without a verifier (`null`: the address is unknown) the function
 * does the same work and returns false.
 *
 * @param holder whose share of the hashes is taken
 * @throws {ServiceError} as {@link createPasswordVerifier}
 */
export async function verifyPassword(
  password: string,
  verifier: string | null,
  holder: string,
): Promise<boolean> {
  const { cost, salt, hash } = parseVerifier(verifier ?? UNKNOWN_VERIFIER);
  const seen = await inShare(holder, () => hashPassword(password, salt, cost));
  return timingSafeEqual(seen, hash) && verifier !== null;
}

async function inShare<Result>(holder: string, task: () => Promise<Result>): Promise<Result> {
  const taking = shares.take(holder, 1);
  if (taking === 'share-full') throw serviceError('rate_limited', SHARE_FULL, RETRY_AFTER_SECONDS);
  if (taking === 'full') throw queueFull();
  try {
    return await task();
  } finally {
    shares.giveBack(holder, 1);
  }
}

function hashPassword(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** logN;
  // The memory limit of OpenSSL. Besides the table, scrypt needs less than 1 MiB.
  const options = { N, r, p, maxmem: 128 * N * r + 1_048_576 };
  return hashes.run(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) => {
          if (error === null) resolve(hash);
          else reject(error);
        });
      }),
  );
}

function formatVerifier(salt: Buffer, hash: Buffer): string {
  const { logN, r, p } = COST;
  return `$scrypt$ln=${logN},r=${r},p=${p}$${base64(salt)}$${base64(hash)}`;
}

const VERIFIER =
  /^\$scrypt\$ln=([0-9]{1,2}),r=([0-9]{1,2}),p=([0-9]{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

function parseVerifier(text: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, logN, r, p, salt, hash] = VERIFIER.exec(text) ?? [];
  if (salt === undefined || hash === undefined) throw new Error("reading a password's verifier");
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

/** Base64 without padding, as the PHC string format has it. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

/** The verifier that a password is compared with if the address is unknown. It fits no password. */
const UNKNOWN_VERIFIER = formatVerifier(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));
