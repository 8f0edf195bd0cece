#!/usr/bin/env bun
import { IMPORT_RELEASE } from './releases.ts';
import { start } from './start.ts';

void start(IMPORT_RELEASE);
