import { z } from 'zod';
import { sha256Hex } from './digest.ts';

/** Every prefixed id of the service: the prefix, `_`, and 24 lower-case base32 characters (RFC 4648, 120 bits). */
export const ID_PREFIXES = {
  workspace: 'wks',
  installation: 'ins',
  checklist: 'chk',
  schema: 'sch',
  widget: 'wid',
  submission: 'sub',
  origin: 'ori',
  accessProfile: 'acc',
  suite: 'sui',
  run: 'run',
  event: 'evt',
  /** Of one subject and checklist; derived, and never shown. */
  enrollment: 'enr',
  key: 'key',
  organization: 'org',
  user: 'usr',
  capability: 'cap',
  credential: 'crd',
  invitation: 'inv',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** Random or derived bytes that one id takes: 15 bytes are exactly 24 base32 characters. */
export const ID_BYTES = 15;

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Builds an id from at least 15 bytes. The same bytes give the same id; surplus bytes are ignored. */
export function idFrom(kind: IdKind, bytes: Uint8Array): string {
  if (bytes.length < ID_BYTES) throw new RangeError(`an id takes ${ID_BYTES} bytes, seen ${bytes.length}`);
  return `${ID_PREFIXES[kind]}_${base32(bytes.subarray(0, ID_BYTES))}`;
}

/** The meanings of ids whose names do not say it. */
const MEANINGS: Partial<Record<IdKind, string>> = {
  installation: 'The installation: the address of the workspace in paths of the products.',
};

/** The zod schema of one kind of id. */
export function idSchema(kind: IdKind) {
  const prefix = ID_PREFIXES[kind];
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[a-z2-7]{24}$`), `expected ${prefix}_ and 24 base32 characters`)
    .register(z.globalRegistry, {
      ...(MEANINGS[kind] === undefined ? {} : { description: MEANINGS[kind] }),
      get example() {
        return exampleId(kind);
      },
    });
}

/** Bytes in place of random ones, so that an example is always the same. */
export function exampleBytes(name: string): Buffer {
  return Buffer.from(sha256Hex(`example ${name}`), 'hex');
}

/** The id of one kind that stands for others in examples. */
export function exampleId(kind: IdKind): string {
  return kind === 'installation' ? installationOf(exampleId('workspace')) : idFrom(kind, exampleBytes(kind));
}

/**
 * The installation of a workspace. Both are one aggregate and share their 24 characters, so that a path that names
 * either finds it without a look-up.
 */
export function installationOf(workspaceId: string): string {
  return `${ID_PREFIXES.installation}_${workspaceId.slice(ID_PREFIXES.workspace.length + 1)}`;
}

/** The workspace of an installation: the inverse of {@link installationOf}. */
export function workspaceOf(installationId: string): string {
  return `${ID_PREFIXES.workspace}_${sharedPartOf(installationId)}`;
}

/** The characters that both ids end with. */
export function sharedPartOf(installationId: string): string {
  return installationId.slice(ID_PREFIXES.installation.length + 1);
}

/** All pairs of digits. */
const BASE62_PAIRS: readonly string[] = Array.from(BASE62).flatMap((first) =>
  Array.from(BASE62, (second) => first + second),
);

/** Random bytes that a request id takes. */
export const REQUEST_ID_BYTES = 18;

/**
 * `req_` and 24 alphanumerics, from 18 random bytes: eight characters for each six of them. Every request
 * has one, so it is made without long arithmetic.
 */
export function requestIdFrom(bytes: Uint8Array): string {
  let text = 'req_';
  for (let start = 0; start < REQUEST_ID_BYTES; start += 6) {
    let rest = 0;
    for (let index = start; index < start + 6; index += 1) rest = rest * 256 + (bytes[index] ?? 0);
    for (let pair = 0; pair < 4; pair += 1) {
      text += BASE62_PAIRS[rest % BASE62_PAIRS.length];
      rest = Math.floor(rest / BASE62_PAIRS.length);
    }
  }
  return text;
}

export const requestIdSchema = z
  .string()
  .regex(/^req_[0-9A-Za-z]{24}$/, 'expected req_ and 24 letters or digits')
  .register(z.globalRegistry, {
    get example() {
      return requestIdFrom(exampleBytes('request'));
    },
  });

/** A random UUID (version 4, RFC 9562) from 16 bytes: the form of an import id. */
export function uuidFrom(bytes: Uint8Array): string {
  const raw = Buffer.from(bytes.subarray(0, 16));
  raw.writeUInt8((raw.readUInt8(6) & 0x0f) | 0x40, 6);
  raw.writeUInt8((raw.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = raw.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const importIdSchema = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'expected a lower-case UUID')
  .register(z.globalRegistry, {
    get example() {
      return uuidFrom(exampleBytes('import'));
    },
  });

const ANY_ID = new RegExp(`^(?:${Object.values(ID_PREFIXES).join('|')})_[a-z2-7]{24}$`);

/** True if a text is an id of this service: a prefixed id, or the id of an import. */
export function isId(text: string): boolean {
  return ANY_ID.test(text) || importIdSchema.safeParse(text).success;
}

/** Writes bytes as base62 digits, most significant first, cut or padded to `length` characters. */
export function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

/** Writes a whole number as base62 digits, cut or padded to `length` characters. */
export function base62Number(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = BASE62.charAt(rest % BASE62.length) + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}

function base32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32.charAt((held >>> bits) & 31);
    }
    held &= 0xff;
  }
  return text;
}
