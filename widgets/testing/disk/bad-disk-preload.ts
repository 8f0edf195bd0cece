// Loaded into the service before its own code: reads fail that begin at the byte in the file that BAD_DISK_FILE names, or behind
// it. Without that file, the disk is whole.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const file = process.env['BAD_DISK_FILE'];
if (file === undefined) throw new Error('BAD_DISK_FILE names no file');

const { existsSync, readFileSync, readSync } = fs;

function isBad(position: number): boolean {
  return position > 0 && existsSync(file ?? '') && position >= Number(readFileSync(file ?? '', 'utf8'));
}

Object.assign(fs, {
  readSync(...read: unknown[]): number {
    const position = read[4];
    if (typeof position === 'number' && isBad(position)) throw new Error('EIO: i/o error, read');
    return Reflect.apply(readSync, fs, read);
  },
});
syncBuiltinESMExports();
