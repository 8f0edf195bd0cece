// Reads: the outcomes of follow-ups. Writes: nothing; it returns the commands that forget them.

import type { CommandOf, InputTable } from '../../../schemas/base/command.ts';
import { outcomeRowId, RUNTIME_KINDS, storedOutcomeSchema } from '../../../schemas/base/outcome.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { type CommandTopicName, TOPICS } from '../../../topics/catalogue.ts';
import type { Store } from '../../../topics/ports/store.ts';
import { CONFIRMED, confirmDelivery, deliveryCommands, senderOf } from '../effects/delivery.ts';
import { forgetOutcome } from './forgetting.ts';
import type { Sweep } from './sweeper.ts';

/** A topic whose fold remembers follow-ups. */
export interface RememberedFollowUps<Table extends InputTable> {
  readonly topic: CommandTopicName;
  readonly commands: Table;
  /**
   * Minimum time in milliseconds for which an outcome is kept, before the sender's confirmation and again after it.
   * It exceeds every pause after which a processor that has lost its partition may still send.
   */
  readonly keptMs: number;
}

/**
 * Forgets the outcomes of follow-ups in two steps. A sender that ended before it removed a follow-up sends it again
 * when it is loaded next, at any time. So the receiver first asks the sender to confirm that it will not send the
 * follow-up again (`confirm-delivery`). It keeps the outcome for `keptMs` after the confirmation
 * (`delivery-confirmed`), and then forgets it. Skips outcomes of an entity, which its erasure ends, and follow-ups
 * whose key does not name their sender.
 */
export function followUpSweep<Table extends InputTable>(
  { topic, commands, keptMs }: RememberedFollowUps<Table>,
  { store }: { readonly store: Pick<Store, 'read'> },
): Sweep<InputTable> {
  const { table } = TOPICS[topic];
  return {
    topic,
    commands: { ...commands, ...deliveryCommands },
    name: 'follow-ups',
    types: [...Object.keys(commands), CONFIRMED],
    delayMs: keptMs,
    async due(command, aggregate) {
      if (isConfirmation(command)) return [forgetOutcome(topic, aggregate, command.input)];
      const { operation, key, keyFrom } = command;
      const sender = keyFrom === 'command' ? senderOf(key) : null;
      if (sender === null) return [];
      const row = { kind: RUNTIME_KINDS.outcome, id: outcomeRowId(operation, key) };
      const { rows } = await store.read({ table, id: aggregate }, [row]);
      const found = rows[0];
      if (found === undefined) return [];
      const { entity, at } = readStored(storedOutcomeSchema, found.document);
      return entity === null ? [confirmDelivery(sender, { topic, aggregate }, { operation, key, at })] : [];
    },
  };
}

type Confirmation = CommandOf<Pick<typeof deliveryCommands, typeof CONFIRMED>>;

function isConfirmation(command: CommandOf<InputTable>): command is Confirmation {
  return command.type === CONFIRMED;
}
