#!/usr/bin/env bun
import { main } from './main.ts';
import { GENERAL_RELEASE } from './releases.ts';

await main(GENERAL_RELEASE);
