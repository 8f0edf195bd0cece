import { createHash, randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

const SESSION_MS = 12 * 60 * 60_000;
const KEY_BYTES = 32;

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

export const PEOPLE_SCHEMA = `
CREATE TABLE IF NOT EXISTS user (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  salt BLOB NOT NULL,
  verifier BLOB NOT NULL,
  may_import INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS session (
  digest TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT;
`;

export interface User {
  readonly id: string;
  readonly email: string;
  readonly mayImport: boolean;
}

/** The application's users and who of them is signed in. */
export class People {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Adds a user, unless the address is taken. */
  async add(email: string, password: string, mayImport: boolean): Promise<void> {
    const salt = randomBytes(16);
    const verifier = await derive(password, salt, KEY_BYTES);
    this.#database
      .prepare('INSERT INTO user VALUES (?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING')
      .run(randomUUID(), email, salt, verifier, Number(mayImport));
  }

  /** A new session's secret, or null for an unknown address or another password. */
  async signIn(email: string, password: string): Promise<string | null> {
    const row = this.#database.prepare('SELECT id, salt, verifier FROM user WHERE email = ?').get(email);
    const salt = Buffer.from((row?.['salt'] as Uint8Array | undefined) ?? new Uint8Array(16));
    const expected = Buffer.from((row?.['verifier'] as Uint8Array | undefined) ?? new Uint8Array(KEY_BYTES));
    const isRight = timingSafeEqual(await derive(password, salt, KEY_BYTES), expected);
    if (row === undefined || !isRight) return null;
    const secret = randomBytes(32).toString('base64url');
    const { id } = row as { id: string };
    this.#database
      .prepare('INSERT INTO session VALUES (?, ?, ?)')
      .run(digestOf(secret), id, Date.now() + SESSION_MS);
    return secret;
  }

  signedIn(secret: string): User | null {
    const row = this.#database
      .prepare(
        `SELECT user.id, email, may_import FROM session JOIN user ON user.id = user_id
         WHERE digest = ? AND ends_at > ?`,
      )
      .get(digestOf(secret), Date.now());
    if (row === undefined) return null;
    return { id: String(row['id']), email: String(row['email']), mayImport: row['may_import'] === 1 };
  }
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
