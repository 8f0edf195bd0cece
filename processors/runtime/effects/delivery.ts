import { z } from 'zod';
import { noResult } from '../../../schemas/base/command.ts';
import { type CommandTopicName, TOPIC_NAMES, TOPICS, topicOfTable } from '../../../topics/catalogue.ts';
import { type CommandEffect, defineRuntimeCommands } from '../fold/fold.ts';
import { DONE_UNREMEMBERED } from '../fold/results.ts';
import { type RememberedOutcome, rememberedOutcomeSchema } from '../sweeps/forgetting.ts';

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
export const deliveryCommands = {
  [CONFIRM]: { input: confirmSchema, result: noResult },
  [CONFIRMED]: { input: rememberedOutcomeSchema, result: noResult },
} as const;

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
 * Confirms deliveries, in every fold. Before a processor folds a command, it carries out every stored effect of the
 * aggregate; the commit of that command removes these effects. So after the commit of this request, no later load of
 * the sender finds the follow-up. The confirmation is an effect of that commit, so it follows the last duplicate in
 * the receiver's log. The exception is a processor that has lost the partition without knowing it, and still sends.
 */
export const deliveryConfirmation = defineRuntimeCommands(deliveryCommands, {
  [CONFIRM]: { fold: ({ input }) => ({ ...NOTED, effects: [confirmation(input)] }) },
  [CONFIRMED]: { fold: () => NOTED },
});

/** No person asked for it. */
const NOTED = { ...DONE_UNREMEMBERED, audit: false } as const;

function confirmation({ receiver, ...outcome }: z.infer<typeof confirmSchema>): CommandEffect {
  return {
    kind: 'command',
    topic: receiver.topic,
    key: receiver.aggregate,
    type: CONFIRMED,
    input: outcome,
  };
}
