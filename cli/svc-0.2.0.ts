#!/usr/bin/env bun
import { GENERAL_RELEASE } from './releases.ts';
import { start } from './start.ts';

void start(GENERAL_RELEASE);
