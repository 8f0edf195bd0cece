import { z } from 'zod';
import type { Command } from '../../schemas/base/command.ts';
import { type CommandTopicName, TOPIC_NAMES, TOPICS, topicOfTable } from '../../topics/catalogue.ts';
import type { AnyFold, CommandEffect, FoldResult, RowDocuments } from './fold.ts';
import { type RememberedOutcome, rememberedOutcomeSchema } from './forgetting.ts';

/** The topics whose folds remember follow-ups. All others take a follow-up that arrives again without harm. */
export const REMEMBERING_TOPICS = [
  'workspaces',
  'people',
  'organizations',
] as const satisfies readonly CommandTopicName[];

/** An aggregate, by the topic of its commands. */
export interface Party {
  readonly topic: CommandTopicName;
  readonly aggregate: string;
}

/** Asks the sender of a follow-up to confirm that it sends that follow-up no more. */
const CONFIRM = 'confirm-delivery';
/** The sender's confirmation. */
export const CONFIRMED = 'delivery-confirmed';

const commandTopics = TOPIC_NAMES.filter((name) => TOPICS[name].kind === 'commands') as CommandTopicName[];
const confirmSchema = rememberedOutcomeSchema.extend({
  receiver: z.strictObject({ topic: z.enum(commandTopics), aggregate: z.string() }),
});

/** The commands that the runtime adds to every fold for the delivery of follow-ups. */
export const deliveryCommands = { [CONFIRM]: confirmSchema, [CONFIRMED]: rememberedOutcomeSchema };

/**
 * The key of a follow-up that its receiver remembers: it names the sender.
 *
 * @param digest derived from the command whose fold asked for the follow-up
 */
export function keyFromSender(table: string, aggregate: string, digest: string): string {
  return `${table}/${aggregate}/${digest}`;
}

/** The sender that the key of a follow-up names, or null if the key names none. */
export function senderOf(key: string): Party | null {
  const [, table, aggregate] = /^([^/]+)\/(.+)\/[^/]+$/.exec(key) ?? [];
  const topic = table === undefined ? null : topicOfTable(table);
  return topic === null || aggregate === undefined ? null : { topic, aggregate };
}

/** The command that asks a sender to confirm the delivery of one follow-up. Harmless to repeat. */
export function confirmDelivery(
  sender: Party,
  receiver: Party,
  { operation, key, at }: RememberedOutcome,
): CommandEffect {
  return {
    kind: 'command',
    topic: sender.topic,
    key: sender.aggregate,
    type: CONFIRM,
    input: { receiver: { ...receiver }, operation, key, at },
  };
}

/**
 * The same fold, which also confirms deliveries.
 *
 * A processor carries out every stored effect of an aggregate before it folds a command, and removes these effects with the
 * commit of that command. So once the request is committed, no later load of the sender finds the follow-up. The
 * confirmation is an effect of that commit, and follows the last duplicate in the receiver's log, except for what a
 * processor still sends that has lost the partition and does not know it.
 */
export function confirming(fold: AnyFold): AnyFold {
  return {
    ...fold,
    schemas: { ...fold.schemas, ...deliveryCommands },
    reads: (command, view) => (isDelivery(command) ? [] : fold.reads(command, view)),
    fold(view, command, context) {
      if (!isDelivery(command)) return fold.fold(view, command, context);
      return command.type === CONFIRM ? { ...NOTED, effects: [confirmation(command.input)] } : NOTED;
    },
  };
}

type Delivery =
  | Command<typeof CONFIRM, z.infer<typeof confirmSchema>>
  | Command<typeof CONFIRMED, RememberedOutcome>;

function isDelivery(command: Command): command is Delivery {
  return command.type === CONFIRM || command.type === CONFIRMED;
}

const NOTED: FoldResult<never, RowDocuments> = {
  outcome: { kind: 'done', result: {} },
  remember: false,
  audit: false,
};

function confirmation({ receiver, ...outcome }: z.infer<typeof confirmSchema>): CommandEffect {
  return {
    kind: 'command',
    topic: receiver.topic,
    key: receiver.aggregate,
    type: CONFIRMED,
    input: outcome,
  };
}
