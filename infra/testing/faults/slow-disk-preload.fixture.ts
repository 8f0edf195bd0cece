// Loaded before the service (`node --import`) by a run that slows its disk down: each wait for the disk takes the milliseconds
// that a file holds. SQLite's own waits at checkpoints are not among them.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const file = process.env['SLOW_DISK_FILE'];
if (file === undefined) throw new Error('SLOW_DISK_FILE: the file that holds the milliseconds is not named');

type Callback = (error: NodeJS.ErrnoException | null) => void;
type Synchronize = (descriptor: number, callback: Callback) => void;

function slowed(path: string, synchronize: Synchronize): Synchronize {
  return (descriptor, callback) => {
    const delayMs = Number(fs.readFileSync(path, 'utf8'));
    if (delayMs === 0) synchronize(descriptor, callback);
    else setTimeout(() => synchronize(descriptor, callback), delayMs);
  };
}

Object.assign(fs, { fdatasync: slowed(file, fs.fdatasync), fsync: slowed(file, fs.fsync) });
syncBuiltinESMExports();
