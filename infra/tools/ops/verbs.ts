import { SWITCHES_ON } from '../../../schemas/organizations/switches.ts';
import { FIRST_GENERATION, TABLES, TOPIC_NAMES } from '../../../topics/catalogue.ts';
import { completion, SHELLS } from './completion.ts';
import type { VerbSpec } from './verb.ts';

const TOPIC = { name: 'topic', choices: TOPIC_NAMES };

const WORKSPACE = { name: 'installation' };
const WORKSPACE_EXAMPLE = 'ins_aaaabbbbccccddddeeeeffff';
const URL_OPTION = { name: 'url', value: 'url', summary: 'the address of another process' };
const OFFLINE = 'Stop an embedded service first.';

const LETTER = [{ name: 'id' }];
const LETTER_EXAMPLE = '001789720080000-activate-1-7-48211904';
const STOPPED = 'Stop an embedded service first; its console has the same at /ops.';

const READING: readonly VerbSpec[] = [
  {
    name: 'health',
    summary: 'ask a running process if it can do its work',
    details: 'Ends with 1 if it cannot. HOST and PORT name the process by default.',
    arguments: [],
    options: [URL_OPTION],
    examples: ['health', 'health --url https://api.example.com --json'],
    load: async () => (await import('./health.ts')).health,
  },
  {
    name: 'topics',
    summary: 'list the topics with their partitions, records and lag',
    details: 'An embedded service may run.',
    arguments: [],
    options: [],
    examples: ['topics'],
    load: async () => (await import('./topics.ts')).listTopics,
  },
  {
    name: 'lag',
    summary: 'list the partitions whose processors are behind',
    details: 'An embedded service may run.',
    arguments: [],
    options: [{ name: 'topic', value: 'topic', summary: 'those of one topic', choices: TOPIC_NAMES }],
    examples: ['lag', 'lag --topic imports'],
    load: async () => (await import('./topics.ts')).listLag,
  },
  {
    name: 'aggregate',
    summary: 'show the documents and outcomes of one aggregate',
    details: `What customers wrote is hidden. --private shows it, and the audit log notes that. An embedded service may run, but
not with --private.`,
    arguments: [{ name: 'table', choices: TABLES }, { name: 'id' }],
    options: [
      { name: 'kind', value: 'kind', summary: 'only rows of this kind' },
      { name: 'private', summary: 'show everything' },
    ],
    examples: [
      `aggregate workspaces ${WORKSPACE_EXAMPLE}`,
      `aggregate imports ${WORKSPACE_EXAMPLE} --kind import`,
    ],
    load: async () => (await import('./aggregate.ts')).showAggregate,
  },
  {
    name: 'self-test',
    summary: 'create, report, import and erase on a running service',
    details: `Prints each step with its time. On the embedded engine the preview that it makes expires. It counts as one creation
of this address.`,
    arguments: [],
    options: [URL_OPTION],
    examples: ['self-test', 'self-test --url https://api.example.com'],
    load: async () => (await import('./self-test.ts')).selfTest,
  },
  {
    name: 'mail test',
    summary: 'send one message to an address, with the settings of the service',
    details: `Prints what the mail server answers. SVC_SMTP_URL and SVC_MAIL_FROM name the server and the sender. No engine is needed.`,
    arguments: [{ name: 'address' }],
    options: [],
    examples: ['mail test you@example.com'],
    load: async () => (await import('./mail-test.ts')).mailTest,
  },
  {
    name: 'dead-letters list',
    summary: 'list records that could not be handled, the newest first',
    details: 'An embedded service may run.',
    arguments: [],
    options: [{ name: 'closed', summary: 'those that were sent again or discarded' }],
    examples: ['dead-letters list --closed'],
    load: async () => (await import('./dead-letters.ts')).listDeadLetters,
  },
  {
    name: 'dead-letters show',
    summary: 'show one of them with its record',
    details: 'Records hold no secret and no value of a customer. An embedded service may run.',
    arguments: LETTER,
    options: [],
    examples: [`dead-letters show ${LETTER_EXAMPLE}`],
    load: async () => (await import('./dead-letters.ts')).showDeadLetter,
  },
  {
    name: 'dead-letters replay',
    summary: 'send its record again, with the key that it had',
    details: `A record that could only fail again is refused with the reason, and nothing changes. ${STOPPED}`,
    arguments: LETTER,
    options: [],
    examples: [`dead-letters replay ${LETTER_EXAMPLE}`],
    load: async () => (await import('./dead-letters.ts')).replayDeadLetter,
  },
  {
    name: 'dead-letters discard',
    summary: 'close it without sending its record',
    details: STOPPED,
    arguments: LETTER,
    options: [],
    examples: [`dead-letters discard ${LETTER_EXAMPLE}`],
    load: async () => (await import('./dead-letters.ts')).discardDeadLetter,
  },
];

const CHANGING: readonly VerbSpec[] = [
  {
    name: 'switches list',
    summary: 'show which new things the service takes',
    details: 'An embedded service may run.',
    arguments: [],
    options: [],
    examples: ['switches list'],
    load: async () => (await import('./switches.ts')).listSwitches,
  },
  {
    name: 'switches set',
    summary: 'let new workspaces, feedback or runs in, or stop them',
    details: `What has started continues. The audit log notes it. ${STOPPED}`,
    arguments: [
      { name: 'switch', choices: Object.keys(SWITCHES_ON) },
      { name: 'position', choices: ['on', 'off'] },
    ],
    options: [],
    examples: ['switches set creation off'],
    load: async () => (await import('./switches.ts')).setSwitch,
  },
  {
    name: 'expire',
    summary: 'end a preview now',
    details: `A claimed workspace is refused. The data stays until it is erased. The audit log notes it. ${OFFLINE}`,
    arguments: [WORKSPACE],
    options: [],
    examples: [`expire ${WORKSPACE_EXAMPLE}`],
    load: async () => (await import('./workspaces.ts')).expireWorkspace,
  },
  {
    name: 'export',
    summary: 'write everything about a workspace to a new folder',
    details: `Documents as lines of JSON; uploaded files, feedback and screenshots as files. The audit log notes it. ${OFFLINE}`,
    arguments: [WORKSPACE, { name: 'folder' }],
    options: [],
    examples: [`export ${WORKSPACE_EXAMPLE} /exports/2026-11-24`],
    load: async () => (await import('./export-workspace.ts')).exportWorkspace,
  },
  {
    name: 'erase',
    summary: 'erase a workspace with everything in it',
    details: `It cannot be undone. The audit log notes it. ${OFFLINE}`,
    arguments: [WORKSPACE],
    options: [
      {
        name: 'confirm',
        value: 'name',
        summary: 'the name of the workspace, as proof that it is the one meant',
      },
    ],
    examples: [`erase ${WORKSPACE_EXAMPLE} --confirm Orders`],
    load: async () => (await import('./workspaces.ts')).eraseWorkspace,
  },
  {
    name: 'set-up-link',
    summary: 'print the link with which the first owner sets the service up',
    details: 'The first person who uses it becomes the owner. An embedded service may run.',
    arguments: [],
    options: [],
    examples: ['set-up-link'],
    load: async () => (await import('./links.ts')).setUpLink,
  },
  {
    name: 'reset-link',
    summary: 'make a link with which the last owner sets a new password',
    details: 'The link works once. The audit log notes it. Stop an embedded service first.',
    arguments: [],
    options: [
      { name: 'organization', value: 'id', summary: 'instead of the organization that operates the service' },
      { name: 'user', value: 'id', summary: 'the owner, where there are several' },
    ],
    examples: ['reset-link', 'reset-link --organization org_… --user usr_…'],
    load: async () => (await import('./links.ts')).resetLink,
  },
  {
    name: 'pass-over',
    summary: 'let a group pass over the one record at which its partition halts',
    details: `The record goes to the dead letters. The log line "RecordHaltsPartition" of the process whose partition halted has the
group, the topic, the partition, the offset and the generation. Stop an embedded service first.`,
    arguments: [{ name: 'group' }, TOPIC, { name: 'partition' }, { name: 'offset' }],
    options: [
      { name: 'by', value: 'name', summary: 'the operator or ticket that the record is passed over for' },
      {
        name: 'generation',
        value: 'number',
        summary: `the generation of the topic; ${FIRST_GENERATION} by default`,
      },
    ],
    examples: ['pass-over fold-imports imports 3 4711 --by OPS-7'],
    load: async () => (await import('./pass-over.ts')).passOver,
  },
  {
    name: 'backup',
    summary: 'copy the data folder of the embedded engine',
    details: 'The folder must not exist. The service may run. SVC_DATA_FOLDER names the data folder.',
    arguments: [{ name: 'folder' }],
    options: [],
    examples: ['backup /backups/2026-11-21'],
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'make the data folder of the embedded engine from a backup',
    details: 'SVC_DATA_FOLDER names the data folder, which must not exist yet. The copy is verified.',
    arguments: [{ name: 'folder' }],
    options: [],
    examples: ['restore /backups/2026-11-21'],
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'grow',
    summary: 'give a topic of the cluster another number of partitions',
    details:
      'The service continues to run. The command waits until the processors have read the old partitions.',
    arguments: [TOPIC, { name: 'partitions' }],
    options: [],
    examples: ['grow imports 24'],
    load: async () => (await import('./grow.ts')).grow,
  },
  {
    name: 'migrate',
    summary: 'bring the tables of the cluster to what this version needs',
    details: 'Run it once before the processes of a new version start.',
    arguments: [],
    options: [],
    examples: ['migrate'],
    load: async () => (await import('./migrate.ts')).migrateCluster,
  },
];

const COMPLETION: VerbSpec = {
  name: 'completion',
  summary: 'print a script that completes the words of svc-ops in a shell',
  details: `It defines svc-ops as a short name of npm run ops --, for this folder. Load it in the start file of the shell.`,
  arguments: [{ name: 'shell', choices: SHELLS }],
  options: [],
  examples: ['completion bash'],
  load: async () => completion(VERBS),
};

/** Every verb, in the order of the help. */
export const VERBS: readonly VerbSpec[] = [...READING, ...CHANGING, COMPLETION];
