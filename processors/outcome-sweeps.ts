import type { InputTable } from '../schemas/base/command.ts';
import type { Limits } from '../schemas/limits.ts';
import { organizationsCommands } from '../schemas/organizations/commands.ts';
import { peopleCommands } from '../schemas/people/commands.ts';
import { type AnyProduct, PRODUCTS } from '../schemas/products.ts';
import { workspacesCommands } from '../schemas/workspaces/commands.ts';
import type { Subscription } from '../topics/ports/log.ts';
import { isResetEntity } from './organizations/members.ts';
import type { ProcessorDependencies } from './runtime/dependencies.ts';
import type { REMEMBERING_TOPICS } from './runtime/effects/delivery.ts';
import { followUpSweep } from './runtime/sweeps/follow-up-sweep.ts';
import { OUTCOME_KEPT_MS, outcomeSweep } from './runtime/sweeps/outcome-sweep.ts';
import { type Sweep, sweepSubscription } from './runtime/sweeps/sweeper.ts';

/**
 * The sweeps that forget outcomes which no erasure removes: of client keys for links and sessions, which end by
 * themselves; of billing events; of requests that changed nothing; and of follow-ups, once their senders have
 * confirmed them.
 *
 * People get no client keys. Their topic keeps the outcome of a reset link as long as the organization keeps the key
 * of its request, because a repeat with that key reads this outcome.
 */
export function outcomeSweeps(dependencies: ProcessorDependencies, limits: Limits): Subscription[] {
  const { workspace, console } = limits;
  const linkMs = Math.max(console.invitationMs, console.resetLinkMs);
  const sweeps = [
    together(
      outcomeSweep(
        {
          topic: 'workspaces',
          commands: workspacesCommands,
          types: ['claim-link'],
          lifeMs: workspace.claimLinkMs,
        },
        dependencies,
      ),
      followUpsOf('workspaces', workspacesCommands, workspace.claimLinkMs, dependencies),
    ),
    together(
      outcomeSweep(
        {
          topic: 'organizations',
          commands: organizationsCommands,
          types: ['invite', 'offer-reset', 'offer-operator-reset', 'billing-event'],
          lifeMs: linkMs,
          isTransient: isResetEntity,
        },
        dependencies,
      ),
      followUpsOf('organizations', organizationsCommands, linkMs, dependencies),
    ),
    followUpsOf('people', peopleCommands, linkMs, dependencies),
    ...PRODUCTS.map((product) => outcomeSweep<InputTable>(transientOutcomes(product, limits), dependencies)),
  ];
  return sweeps.map((sweep) => sweepSubscription<InputTable>(sweep, dependencies));
}

function transientOutcomes({ topic, commands, transient, transientMs }: AnyProduct, limits: Limits) {
  return { topic, commands, types: transient.commands, lifeMs: transientMs(limits) };
}

function followUpsOf(
  topic: (typeof REMEMBERING_TOPICS)[number],
  commands: InputTable,
  lifeMs: number,
  dependencies: ProcessorDependencies,
): Sweep<InputTable> {
  return followUpSweep({ topic, commands, keptMs: Math.max(OUTCOME_KEPT_MS, lifeMs) }, dependencies);
}

/** Two sweeps of one topic as one reader of it, each over its own types, both after the longer delay. */
function together(one: Sweep<InputTable>, other: Sweep<InputTable>): Sweep<InputTable> {
  return {
    ...one,
    commands: { ...one.commands, ...other.commands },
    types: [...new Set([...one.types, ...other.types])],
    delayMs: Math.max(one.delayMs, other.delayMs),
    async due(command, aggregate) {
      const sweeps = [one, other].filter(({ types }) => types.includes(command.type));
      return (await Promise.all(sweeps.map((sweep) => sweep.due(command, aggregate)))).flat();
    },
  };
}
