#!/usr/bin/env bun
import { main } from './main.ts';
import { IMPORT_RELEASE } from './releases.ts';

await main(IMPORT_RELEASE);
