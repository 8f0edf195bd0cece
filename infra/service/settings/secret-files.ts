// Reads and, once, writes: the secrets in the data folder.
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SecretKeys } from '../../../gateway/services.ts';
import type { Entropy } from '../../../topics/ports/clock.ts';
import { DATABASE_FILE } from '../../engines/embedded/database.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';

/** The secrets that the data folder holds if the settings name none. They are part of every backup. */
export const SECRET_FILES = ['secret', 'identity-secret'] as const;

const SECRET_BYTES = 32;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

type SecretFile = (typeof SECRET_FILES)[number];

/** The variable that takes the place of each file. */
const SECRET_VARIABLES: Readonly<Record<SecretFile, string>> = {
  secret: 'SVC_SECRET',
  'identity-secret': 'SVC_IDENTITY_SECRET',
};

/**
 * Returns the secrets of the settings, else those in the data folder. The first start makes them there, readable by their
 * owner only and on the disk before any data is. A folder with data has its secrets: a missing one is never made again,
 * because people and repeatable requests are found by it.
 *
 * The caller holds the lock of the data folder where the settings lack a secret.
 *
 * @throws {StartError} when a file is missing beside data, is readable by others, or holds no secret.
 */
export function loadSecrets(settings: Settings, entropy: Entropy): SecretKeys {
  return {
    secret: settings.secret ?? secretFile(settings.dataFolder, 'secret', entropy),
    previous: settings.secretPrevious,
    identity: settings.identitySecret ?? secretFile(settings.dataFolder, 'identity-secret', entropy),
  };
}

function secretFile(folder: string, name: SecretFile, entropy: Entropy): string {
  const file = join(folder, name);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) makeSecret(folder, name, entropy);
  else if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0) {
    const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
    throw new StartError(`${file}: seen mode ${mode}, which lets others read the secret; chmod 600 ${file}`);
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (/^[0-9a-f]{64}$/.test(secret)) return secret;
  throw new StartError(
    `${file}: seen ${secret.length} characters, expected 64 hexadecimal ones; restore the file from a backup`,
  );
}

function makeSecret(folder: string, name: SecretFile, entropy: Entropy): void {
  const file = join(folder, name);
  if ((statSync(join(folder, DATABASE_FILE), { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new StartError(
      `${file}: missing, while the folder holds data that was written with it; restore the file from a backup, or set ${SECRET_VARIABLES[name]} to what it held`,
    );
  }
  const secret = Buffer.from(entropy.bytes(SECRET_BYTES)).toString('hex');
  const made = `${file}.made`;
  rmSync(made, { force: true });
  writeFileSync(made, `${secret}\n`, { mode: OWNER_ONLY, flush: true });
  // A file has its name only when its content is on the disk, and data comes only when the name is, too.
  renameSync(made, file);
  if (process.platform !== 'win32') synchronizeFolder(folder);
}

function synchronizeFolder(folder: string): void {
  const names = openSync(folder, 'r');
  try {
    fsyncSync(names);
  } finally {
    closeSync(names);
  }
}
