// A program for a test: removes the home of a room while its processes are killed, as another runner does that sweeps it too.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { killProcessesOf } from './processes.ts';
import { makeRoomFolder, removeRoomFolder } from './room-folders.ts';

const FILES = 2_000;

const { path, home } = makeRoomFolder({ uid: 65_534, gid: 65_534 });
for (let file = 0; file < FILES; file += 1) writeFileSync(join(home, String(file)), '');
// The removal has begun when this returns.
const removed = removeRoomFolder(path);
killProcessesOf(path, home);
await removed;
