// Copies the data folder of the embedded engine, also while the service runs.
import { backUp } from '../engines/embedded/backup.ts';
import { SECRET_FILES } from '../service/secret-files.ts';
import { readSettings, SettingsError } from '../service/settings.ts';
import { readCommandLine } from './command-line.ts';

const HELP = `
npm run backup -- FOLDER

Copies the data folder of the embedded engine to a new folder, also while the service runs. SVC_DATA_FOLDER names the data folder.
`;

const EXIT_FAILED = 1;
const EXIT_SETTINGS = 2;

function main(): void {
  const [target, ...rest] = readCommandLine(HELP, { allowPositionals: true }).positionals;
  if (target === undefined || rest.length > 0) throw new SettingsError(HELP.trim());
  const { cluster, dataFolder } = readSettings(process.env);
  if (cluster !== null) {
    throw new SettingsError('SVC_ENGINE: seen "cluster"; back up its servers instead (infra/docs/backup.md)');
  }
  const { databaseBytes, blobs, files } = backUp({ folder: dataFolder, target, files: SECRET_FILES });
  const missing = SECRET_FILES.filter((file) => !files.includes(file));
  const bytes = databaseBytes + blobs.bytes;
  process.stdout.write(`Backed up ${dataFolder} to ${target}: ${bytes} bytes.\n`);
  if (missing.length === 0) return;
  process.stdout.write(
    `Not in it: ${missing.join(', ')}, which come from the environment. Without them it is of no use; keep them, too.\n`,
  );
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof SettingsError ? EXIT_SETTINGS : EXIT_FAILED;
}
