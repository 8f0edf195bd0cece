import { z } from 'zod';
import { auditCommands } from '../schemas/audit/commands.ts';
import type { CommandTable, CommandType, InputOf, InputTable } from '../schemas/base/command.ts';
import { erasureItems } from '../schemas/base/erasure.ts';
import { DAY_MS } from '../schemas/base/time.ts';
import { mailCommands, mailItems } from '../schemas/mail/commands.ts';
import { DEAD_LETTERS, deadLetterCommands } from '../schemas/operations/dead-letters.ts';
import { organizationsCommands } from '../schemas/organizations/commands.ts';
import { peopleCommands } from '../schemas/people/commands.ts';
import { type AnyProduct, optInSchema, PRODUCTS, type WorkTopicName } from '../schemas/products.ts';
import { usageCommands } from '../schemas/usage/commands.ts';
import { workspacesCommands } from '../schemas/workspaces/commands.ts';
import { lifecycleSchema } from '../schemas/workspaces/lifecycle.ts';
import type { ProductWork } from '../schemas/workspaces/product.ts';

/** Tables of aggregates: one a product. */
export const TABLES = [
  'workspaces',
  'people',
  'organizations',
  'mail',
  ...PRODUCTS.map(({ topic }) => topic),
  'audit',
  'usage',
  'operations',
] as const;
export type TableName = (typeof TABLES)[number];

interface TopicBase {
  /** The meaning of the record key. Records with the same key stay in order. */
  readonly key: string;
  /**
   * Of the first generation, fixed when it is made; `npm run ops -- grow` makes the next one
   * (infra/docs/decisions/0003-partitions-and-generations.md).
   */
  readonly partitions: number;
  readonly retentionMs: number;
  readonly writers: readonly string[];
  readonly readers: readonly string[];
  readonly carries: string;
}

/** Commands that a fold turns into state: the key is the aggregate's id in `table`. */
export interface CommandTopic extends TopicBase {
  readonly kind: 'commands';
  readonly table: TableName;
  readonly records: CommandTable;
}

/** Work items (ARCHITECTURE.md, rule 8). */
export interface WorkTopic extends TopicBase {
  readonly kind: 'work';
  readonly records: InputTable;
}

export type Topic = CommandTopic | WorkTopic;

/** Topics are the way in, not the archive. */
const RETENTION_MS = 14 * DAY_MS;

/** The lifecycle as a workspace sends it. A product also takes opt-ins of later versions of the service. */
const sentLifecycleSchema = lifecycleSchema.extend({ products: z.array(optInSchema) });

/** The topic of a product, with the commands that the product declares. */
type ProductTopic<Product extends AnyProduct> = Omit<CommandTopic, 'table' | 'records'> & {
  readonly table: Product['topic'];
  readonly records: Product['commands'];
};

function productTopics() {
  return Object.fromEntries(PRODUCTS.map((product) => [product.topic, productTopic(product)])) as {
    readonly [Product in AnyProduct as Product['topic']]: ProductTopic<Product>;
  };
}

function productTopic({ topic, partitions, commands, carries }: AnyProduct): CommandTopic {
  const code = `processors/${topic}`;
  return {
    kind: 'commands',
    table: topic,
    key: 'installation',
    partitions,
    retentionMs: RETENTION_MS,
    records: { ...commands, lifecycle: { ...commands.lifecycle, input: sentLifecycleSchema } },
    writers: ['gateway', 'processors/workspaces', code, 'processors/eraser', 'processors/runtime/sweeper'],
    readers: [code, `${code}/sweeper`, 'processors/runtime/sweeper'],
    carries,
  };
}

function workTopics(): Readonly<Record<WorkTopicName, WorkTopic>> {
  const topics = PRODUCTS.flatMap(({ topic, works }) =>
    Object.entries<ProductWork>(works).map(([name, work]) => [name, workTopic(`processors/${topic}`, work)]),
  );
  return Object.fromEntries(topics);
}

function workTopic(code: string, { items, reader, role: _role, ...work }: ProductWork): WorkTopic {
  return {
    ...work,
    kind: 'work',
    retentionMs: RETENTION_MS,
    records: items,
    writers: [code],
    readers: [`${code}/${reader}`],
  };
}

/** The only list of topics. No other topic can be written or read. */
export const TOPICS = {
  workspaces: {
    kind: 'commands',
    table: 'workspaces',
    key: 'installation',
    partitions: 8,
    retentionMs: RETENTION_MS,
    records: workspacesCommands,
    writers: [
      'gateway',
      'processors/organizations',
      'processors/workspaces',
      'processors/eraser',
      'processors/runtime/sweeper',
    ],
    readers: ['processors/workspaces', 'processors/runtime/sweeper'],
    carries: 'create, claim link, attach, claim, pause, resume, disconnect, credentials, erase',
  },
  people: {
    kind: 'commands',
    table: 'people',
    key: 'HMAC of the e-mail address',
    partitions: 4,
    retentionMs: RETENTION_MS,
    records: peopleCommands,
    writers: [
      'gateway',
      'processors/organizations',
      'processors/people',
      'processors/mail',
      'processors/runtime/sweeper',
    ],
    readers: ['processors/people', 'processors/people/sweeper', 'processors/runtime/sweeper'],
    carries: 'new people, passwords, memberships, console sessions, tidy',
  },
  organizations: {
    kind: 'commands',
    table: 'organizations',
    key: 'organization',
    partitions: 4,
    retentionMs: RETENTION_MS,
    records: organizationsCommands,
    writers: [
      'gateway',
      'processors/workspaces',
      'processors/people',
      'processors/organizations',
      'processors/runtime/sweeper',
    ],
    readers: ['processors/organizations', 'processors/runtime/sweeper'],
    carries: 'set-up, members, invitations, attached and claimed workspaces, API keys, subscription',
  },
  mail: {
    kind: 'commands',
    table: 'mail',
    key: 'HMAC of the e-mail address',
    partitions: 4,
    retentionMs: RETENTION_MS,
    records: mailCommands,
    writers: ['gateway', 'processors/organizations', 'processors/people', 'processors/mail'],
    readers: ['processors/mail', 'processors/mail/sweeper'],
    carries: 'mails to send and what became of them, by ids: no address and no text',
  },
  ...productTopics(),
  audit: {
    kind: 'commands',
    table: 'audit',
    key: 'organization and month',
    partitions: 4,
    retentionMs: RETENTION_MS,
    records: auditCommands,
    writers: ['gateway', 'processors/runtime'],
    readers: ['processors/audit'],
    carries: 'what people did and which private data they read, for the audit log of their organization',
  },
  usage: {
    kind: 'commands',
    table: 'usage',
    key: 'API key, or organization',
    partitions: 8,
    retentionMs: RETENTION_MS,
    records: usageCommands,
    writers: ['gateway', 'processors/usage'],
    readers: ['processors/usage'],
    carries: 'absolute counts of calls by key and minute; what live keys add up to for their organization',
  },
  ...workTopics(),
  'mail-sends': {
    kind: 'work',
    key: 'HMAC of the e-mail address',
    partitions: 4,
    retentionMs: RETENTION_MS,
    records: mailItems,
    writers: ['processors/mail', 'processors/people'],
    readers: ['processors/mail/sender'],
    carries: 'one attempt to send a mail of an outbox',
  },
  erasures: {
    kind: 'work',
    key: 'the aggregate that was erased',
    partitions: 2,
    retentionMs: RETENTION_MS,
    records: erasureItems,
    writers: ['processors/runtime'],
    readers: ['processors/eraser'],
    carries:
      'an erased aggregate whose next rows are to be removed; an erasure whose dead letters are to be removed',
  },
  'dead-letters': {
    kind: 'commands',
    table: 'operations',
    key: `"${DEAD_LETTERS}"`,
    partitions: 1,
    retentionMs: RETENTION_MS,
    records: deadLetterCommands,
    writers: ['gateway', 'processors/runtime', 'processors/eraser'],
    readers: ['processors/operations'],
    carries: 'a record that could not be handled, with the reason; what an operator does with it',
  },
} as const satisfies Record<string, Topic>;

export type TopicName = keyof typeof TOPICS;

export const TOPIC_NAMES = Object.keys(TOPICS) as TopicName[];

/** The topics whose commands are folded into aggregates. */
export type CommandTopicName = {
  [Name in TopicName]: (typeof TOPICS)[Name] extends CommandTopic ? Name : never;
}[TopicName];

/** The topic whose commands are folded into a table, or null if there is no such table. */
export function topicOfTable(table: string): CommandTopicName | null {
  const found = Object.entries(TOPICS).find(
    ([, topic]) => topic.kind === 'commands' && topic.table === table,
  );
  return found === undefined ? null : (found[0] as CommandTopicName);
}

/** The commands of a topic, as their product declares them. */
export type CommandsOf<Name extends CommandTopicName> = (typeof TOPICS)[Name]['records'];

/** A command for an aggregate of a topic: its input is what the product declares. */
export interface TopicCommand<Topic extends CommandTopicName, Type extends CommandType<CommandsOf<Topic>>> {
  readonly topic: Topic;
  /** The aggregate's id. */
  readonly key: string;
  readonly type: Type;
  readonly input: InputOf<CommandsOf<Topic>, Type>;
}

/** True if a remembered `done` answers only the request that received it, and no other request with its key. */
export function decidesRepeats(topic: CommandTopicName, type: string): boolean {
  const commands: CommandTable = TOPICS[topic].records;
  return commands[type]?.decidesRepeats === true;
}

/** The generation that a topic is made in. Growing makes the next ones (infra/docs/growing.md). */
export const FIRST_GENERATION = 1;

/** The group of the processors that fold a topic of commands, and that of the workers of a topic of work. */
export const foldGroupOf = (topic: TopicName): string => `fold-${topic}`;
export const workGroupOf = (topic: TopicName): string => `work-${topic}`;

/** The group of a sweep, which reads a topic beside the group that has to handle it. */
export const sweepGroupOf = (topic: string, name: string): string => `sweep-${topic}-${name}`;

/** True for the group of any sweep of a topic, also of one that this version does not have. */
export const isSweepOf = (topic: string, group: string): boolean => group.startsWith(sweepGroupOf(topic, ''));

/** The group that has to handle every record of a topic. */
export function handlingGroupOf(topic: TopicName): string {
  return TOPICS[topic].kind === 'commands' ? foldGroupOf(topic) : workGroupOf(topic);
}
