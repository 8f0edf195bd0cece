import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { backUp } from '../../engines/embedded/backup.ts';
import { DATABASE_FILE } from '../../engines/embedded/database.ts';
import { SECRET_FILES } from '../../service/settings/secret-files.ts';
import { readSettings, SettingsError } from '../../service/settings/settings.ts';
import { type Given, UsageError, type VerbResult, word } from './verb.ts';

/** Makes the data folder from a backup, and verifies the copy. */
export async function restore(given: Given): Promise<VerbResult> {
  const folder = word(given, 'folder');
  const { cluster, dataFolder: target } = readSettings(given.environment);
  if (cluster !== null)
    throw new SettingsError('SVC_ENGINE: seen "cluster"; restore its servers instead (infra/docs/backup.md)');
  if (!existsSync(join(folder, DATABASE_FILE)))
    throw new UsageError(
      `folder: seen "${folder}" without ${DATABASE_FILE}; expected one that backup has made`,
    );
  if (existsSync(target)) {
    if (readdirSync(target).length > 0)
      throw new UsageError(
        `SVC_DATA_FOLDER: seen ${target}, which has files; expected none there. Move it away, and keep it until you have checked the restored service`,
      );
    rmdirSync(target);
  }
  const { databaseBytes, blobs, files } = backUp({ folder, target, files: SECRET_FILES });
  const missing = SECRET_FILES.filter((file) => !files.includes(file));
  const bytes = databaseBytes + blobs.bytes;
  const lines = [
    `Restored ${folder} to ${target}: ${bytes} bytes. Repeat the erasures that were made since the backup.`,
  ];
  if (missing.length > 0)
    lines.push(`Not in it: ${missing.join(', ')}; give them in the environment, as before.`);
  return { data: { folder, target, bytes, missing }, lines };
}
