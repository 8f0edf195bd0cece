// Reads: the first organization. Writes: the set-up link, to a file of the owner's and to a terminal.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSetUp, setUpCode } from '../../gateway/people/set-up-code.ts';
import type { SecretKeys } from '../../gateway/services.ts';
import type { Store } from '../../topics/ports/store.ts';
import type { Settings } from './settings/settings.ts';

const OWNER_ONLY = 0o600;

/** The file in the data folder that holds the link until the first owner has used it. */
const SET_UP_LINK_FILE = 'set-up-link';

/**
 * Offers the one-time link with which the first owner sets the service up: in a file that only its owner can read, and on
 * the terminal where there is one; never in a log. Once an organization exists the file is removed.
 */
export async function offerSetUp(store: Store, settings: Settings, secrets: SecretKeys): Promise<void> {
  const file = join(settings.dataFolder, SET_UP_LINK_FILE);
  const done = await isSetUp(store, secrets);
  mkdirSync(settings.dataFolder, { recursive: true, mode: 0o700 });
  rmSync(file, { force: true });
  if (done) return;
  const link = `${settings.hosts.console}/set-up#${setUpCode(secrets)}`;
  writeFileSync(file, `${link}\n`, { mode: OWNER_ONLY });
  if (process.stdout.isTTY) process.stdout.write(`Set up the first owner: ${link}\n`);
}
