import { existsSync } from 'node:fs';
import { backUp } from '../../engines/embedded/backup.ts';
import { SECRET_FILES } from '../../service/settings/secret-files.ts';
import { SettingsError } from '../../service/settings/settings.ts';
import { settingsWithData } from './engine.ts';
import { type Given, UsageError, type VerbResult, word } from './verb.ts';

/** Copies the data folder of the embedded engine to a new folder, also while the service runs. */
export async function backup(given: Given): Promise<VerbResult> {
  const target = word(given, 'folder');
  const { cluster, dataFolder } = settingsWithData(given.environment);
  if (cluster !== null) {
    throw new SettingsError('SVC_ENGINE: seen "cluster"; back up its servers instead (infra/docs/backup.md)');
  }
  if (existsSync(target)) throw new UsageError(`folder: seen "${target}", which exists; expected a new one`);
  const { databaseBytes, blobs, files } = backUp({
    folder: dataFolder,
    target,
    files: SECRET_FILES,
    isBackup: true,
  });
  const missing = SECRET_FILES.filter((file) => !files.includes(file));
  const bytes = databaseBytes + blobs.bytes;
  const lines = [`Backed up ${dataFolder} to ${target}: ${bytes} bytes.`];
  if (missing.length > 0)
    lines.push(
      `Not in it: ${missing.join(', ')}, which come from the environment. Without them it is of no use; keep them, too.`,
    );
  return { data: { folder: dataFolder, target, bytes, missing }, lines };
}
