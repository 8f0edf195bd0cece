import { backUp } from '../../engines/embedded/backup.ts';
import { SECRET_FILES } from '../../service/secret-files.ts';
import { readSettings, SettingsError } from '../../service/settings.ts';
import { type Given, type VerbResult, word } from './verb.ts';

/** Copies the data folder of the embedded engine to a new folder, also while the service runs. */
export async function backup(given: Given): Promise<VerbResult> {
  const target = word(given, 'folder');
  const { cluster, dataFolder } = readSettings(given.environment);
  if (cluster !== null) {
    throw new SettingsError('SVC_ENGINE: seen "cluster"; back up its servers instead (infra/docs/backup.md)');
  }
  const { databaseBytes, blobs, files } = backUp({ folder: dataFolder, target, files: SECRET_FILES });
  const missing = SECRET_FILES.filter((file) => !files.includes(file));
  const bytes = databaseBytes + blobs.bytes;
  const lines = [`Backed up ${dataFolder} to ${target}: ${bytes} bytes.`];
  if (missing.length > 0)
    lines.push(
      `Not in it: ${missing.join(', ')}, which come from the environment. Without them it is of no use; keep them, too.`,
    );
  return { data: { folder: dataFolder, target, bytes, missing }, lines };
}
