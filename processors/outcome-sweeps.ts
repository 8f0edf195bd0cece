import { activateCommands } from '../schemas/activate/commands.ts';
import type { CommandSchemas } from '../schemas/base/command.ts';
import { importsCommands } from '../schemas/imports/commands.ts';
import type { Limits } from '../schemas/limits.ts';
import { organizationsCommands } from '../schemas/organizations/commands.ts';
import { peopleCommands } from '../schemas/people/commands.ts';
import { workspacesCommands } from '../schemas/workspaces/commands.ts';
import type { Subscription } from '../topics/ports/log.ts';
import { isResetEntity } from './organizations/members.ts';
import { REMEMBERING_TOPICS } from './runtime/delivery.ts';
import type { ProcessorDependencies } from './runtime/dependencies.ts';
import { followUpSweep, type RememberedFollowUps } from './runtime/follow-up-sweep.ts';
import { OUTCOME_KEPT_MS, outcomeSweep } from './runtime/outcome-sweep.ts';
import { sweepSubscription } from './runtime/sweeper.ts';

/**
 * What keys of clients are remembered with that no erasure takes along: links and sessions, which end by themselves, what
 * the billing provider says, and requests that found everything as they wanted it.
 */
export function outcomeSweeps(dependencies: ProcessorDependencies, limits: Limits): Subscription[] {
  const { workspace, console, imports, checklists } = limits;
  return [
    sweepSubscription(
      outcomeSweep(
        {
          topic: 'workspaces',
          schemas: workspacesCommands,
          types: ['claim-link'],
          lifeMs: workspace.claimLinkMs,
        },
        dependencies,
      ),
      dependencies,
    ),
    sweepSubscription(
      outcomeSweep(
        {
          topic: 'organizations',
          schemas: organizationsCommands,
          types: ['invite', 'offer-reset', 'offer-operator-reset', 'billing-event'],
          lifeMs: Math.max(console.invitationMs, console.resetLinkMs),
          isPassing: isResetEntity,
        },
        dependencies,
      ),
      dependencies,
    ),
    sweepSubscription(
      outcomeSweep(
        {
          topic: 'imports',
          schemas: importsCommands,
          types: ['mint-session', 'revise-schema', 'cancel-import'],
          lifeMs: imports.sessionMs,
        },
        dependencies,
      ),
      dependencies,
    ),
    sweepSubscription(
      outcomeSweep(
        {
          topic: 'activate',
          schemas: activateCommands,
          types: ['issue-session', 'revise-checklist'],
          lifeMs: checklists.sessionMs,
        },
        dependencies,
      ),
      dependencies,
    ),
  ];
}

/**
 * Forgets what receivers remember of follow-ups once the senders have confirmed them: in every topic of
 * `REMEMBERING_TOPICS`. An offered link is kept as long as the organization's key that asked for it, which repeats ask for.
 */
export function followUpSweeps(dependencies: ProcessorDependencies, limits: Limits): Subscription[] {
  const { invitationMs, resetLinkMs } = limits.console;
  const swept: Record<(typeof REMEMBERING_TOPICS)[number], FollowUpLife> = {
    workspaces: { schemas: workspacesCommands, keptMs: OUTCOME_KEPT_MS },
    people: { schemas: peopleCommands, keptMs: Math.max(OUTCOME_KEPT_MS, invitationMs, resetLinkMs) },
    organizations: { schemas: organizationsCommands, keptMs: OUTCOME_KEPT_MS },
  };
  return REMEMBERING_TOPICS.map((topic) =>
    sweepSubscription(followUpSweep({ topic, ...swept[topic] }, dependencies), dependencies),
  );
}

type FollowUpLife = Pick<RememberedFollowUps<CommandSchemas>, 'schemas' | 'keptMs'>;
