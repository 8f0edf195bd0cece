// Reads and, once, writes: the secrets in the data folder.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecretKeys } from '../../gateway/services.ts';
import type { Entropy } from '../../topics/ports/clock.ts';
import { type Settings, SettingsError } from './settings.ts';

/** What the data folder holds where the settings name no secrets. They are part of every backup. */
export const SECRET_FILES = ['secret', 'identity-secret'] as const;

const SECRET_BYTES = 32;
const OWNER_ONLY = 0o600;

/**
 * The secrets of the service: those of the settings, else those in the data folder, which are made at the first start
 * and readable by their owner only. Losing the identity secret loses the link between people and their accounts, so it
 * is part of every backup.
 *
 * @throws {SettingsError} when a file in the data folder does not hold a secret.
 */
export function loadSecrets(settings: Settings, entropy: Entropy): SecretKeys {
  return {
    secret: settings.secret ?? secretFile(settings.dataFolder, 'secret', entropy),
    previous: settings.secretPrevious,
    identity: settings.identitySecret ?? secretFile(settings.dataFolder, 'identity-secret', entropy),
  };
}

function secretFile(folder: string, name: string, entropy: Entropy): string {
  const file = join(folder, name);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const secret = Buffer.from(entropy.bytes(SECRET_BYTES)).toString('hex');
    // "wx": two starts at the same moment must not end up with different secrets.
    writeFileSync(file, `${secret}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(secret)) {
    throw new SettingsError(`${file}: seen ${secret.length} characters; expected 64 hexadecimal ones`);
  }
  return secret;
}
