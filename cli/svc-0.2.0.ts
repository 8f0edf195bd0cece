#!/usr/bin/env bun
import { GENERAL_RELEASE } from './releases.ts';
import { start } from './start.ts';

await start(GENERAL_RELEASE);
