#!/usr/bin/env bun
import { IMPORT_RELEASE } from './releases.ts';
import { start } from './start.ts';

await start(IMPORT_RELEASE);
