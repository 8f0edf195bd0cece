import type { CommandGroup, OptionSpec } from '../command.ts';
import { idFault, keyFault, numberFault } from '../option-faults.ts';

const ORIGIN = 'https://app.example.com';
const ORIGIN_ID = 'ori_abcdefghijklmnopqrstuvwx';
const SUITE_ID = 'sui_abcdefghijklmnopqrstuvwx';
const RUN_ID = 'run_abcdefghijklmnopqrstuvwx';

const originOption: OptionSpec = {
  name: 'origin-id',
  value: 'id',
  summary: 'id of the origin',
  required: true,
  fault: idFault('ori'),
};

const waitOptions: readonly OptionSpec[] = [
  { name: 'wait', summary: 'wait for the end of the run; exit with 8 unless it is verified' },
  { name: 'timeout', value: 'seconds', summary: 'the longest wait (600 by default)', fault: numberFault },
];

export const checkCommands: CommandGroup = {
  name: 'check',
  summary: 'Check pages in a browser: prove an origin, run a suite',
  commands: [
    {
      name: 'check origin',
      summary: 'Name an origin to check, and get the challenge that proves it',
      details:
        'The same origin again is the same one, with a new challenge once the last one has expired. An origin is https and a host name of the public internet: localhost, addresses of numbers and ports are refused. A preview checks one origin: as long as no run is verified or under way, another origin replaces it.',
      options: [{ name: 'origin', value: 'https origin', summary: 'the origin', required: true }],
      example: ['--origin', ORIGIN],
      run: async (context, options) => (await import('./origin.ts')).createOrigin(context, options),
    },
    {
      name: 'check confirm',
      summary: 'Prove the origin, once its challenge is published',
      options: [originOption],
      example: ['--origin-id', ORIGIN_ID],
      run: async (context, options) => (await import('./origin.ts')).confirmOrigin(context, options),
    },
    {
      name: 'check create',
      summary: 'Create a suite that opens a page and looks for a heading',
      details: 'The same page and heading again are the same suite.',
      options: [
        originOption,
        { name: 'url', value: 'https url', summary: 'address of the page, on the origin', required: true },
        { name: 'heading', value: 'text', summary: 'the whole text of a visible heading', required: true },
      ],
      example: ['--origin-id', ORIGIN_ID, '--url', `${ORIGIN}/sign-up`, '--heading', 'Create your account'],
      run: async (context, options) => (await import('./suite.ts')).createSuite(context, options),
    },
    {
      name: 'check list',
      summary: 'List the suites',
      options: [],
      example: [],
      run: async (context) => (await import('./list.ts')).listSuites(context),
    },
    {
      name: 'check run',
      summary: 'Run a suite',
      options: [
        { name: 'suite', value: 'id', summary: 'id of the suite', required: true, fault: idFault('sui') },
        {
          name: 'idempotency-key',
          value: 'text',
          summary: 'names this run: the same key again is the same run; absent: a new run',
          fault: keyFault,
        },
        ...waitOptions,
      ],
      example: ['--suite', SUITE_ID, '--idempotency-key', 'release-1', '--wait'],
      run: async (context, options) => (await import('./run.ts')).createRun(context, options),
    },
    {
      name: 'check status',
      summary: 'Read a run and its steps',
      details: 'Only `verified` establishes a passing result.',
      options: [
        { name: 'run', value: 'id', summary: 'id of the run', required: true, fault: idFault('run') },
        ...waitOptions,
      ],
      example: ['--run', RUN_ID],
      run: async (context, options) => (await import('./run.ts')).readRun(context, options),
    },
  ],
};
