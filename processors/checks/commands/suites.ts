import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import type { Flow } from '../../../schemas/checks/configuration.ts';
import { checksProduct } from '../../../schemas/checks/product.ts';
import type { Limits } from '../../../schemas/limits.ts';
import type { Plan } from '../../../schemas/workspaces/lifecycle.ts';
import { aliveWorkspace } from '../../runtime/fold/alive-workspace.ts';
import type { CommandHandler } from '../../runtime/fold/fold.ts';
import { refused, refusedFor } from '../../runtime/fold/results.ts';
import type { ChecksFold } from '../checks-fold.ts';
import { missing } from '../preconditions.ts';

/** Creates an access profile of an origin. */
export const createProfile: CommandHandler<ChecksFold, 'create-profile'> = {
  reads: ({ input: { originId } }) => [{ kind: 'origin', id: originId }],
  fold(scope) {
    const { root, row, input, context, limits } = scope;
    const { accessProfileId, originId, configuration } = input;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    if (row('origin', originId) === null) return refused(missing('body.originId', 'origin'));
    const { accessProfiles } = limits.checks;
    if (root.profilesMade >= accessProfiles) {
      return refusedFor('limit_reached', {
        at: 'installation.accessProfiles',
        seen: `${root.profilesMade} that were made`,
        expected: `fewer than ${accessProfiles} ever`,
      });
    }
    const document = { originId, configuration, createdAt: context.now };
    return {
      outcome: { kind: 'done', result: { accessProfileId, createdAt: context.now } },
      root: { ...root, profilesMade: root.profilesMade + 1 },
      put: [{ kind: 'profile', id: accessProfileId, document }],
      remember: { entity: `profile/${accessProfileId}` },
    };
  },
};

/** Creates a suite, within the lifetime quota of the plan and the bounds that it sets to flows. */
export const createSuite: CommandHandler<ChecksFold, 'create-suite'> = {
  reads: ({ input: { originId, accessProfileId } }) => [
    { kind: 'origin', id: originId },
    ...(accessProfileId === null ? [] : [{ kind: 'profile', id: accessProfileId }]),
  ],
  fold(scope) {
    const { root, row, input, context, limits } = scope;
    const { suiteId, originId, accessProfileId, configuration } = input;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const { plan } = alive.lifecycle;
    const origin = row('origin', originId);
    if (origin === null) return refused(missing('body.originId', 'origin'));
    const profile = accessProfileId === null ? null : row('profile', accessProfileId);
    if (accessProfileId !== null && profile?.originId !== originId) {
      return refused(missing('body.accessProfileId', 'access profile of this origin'));
    }
    const fault =
      planFault(configuration.flows, plan, limits) ?? stepFault(configuration.flows, origin.origin);
    if (fault !== null) return refused(fault);
    const full = checksProduct.quotaRefusal('checkSuites', scope, plan);
    if (full !== null) return refused(full);
    const document = { originId, accessProfileId, configuration, createdAt: context.now };
    return {
      outcome: { kind: 'done', result: { suiteId, createdAt: context.now } },
      root: checksProduct.charge('checkSuites', root, plan, context.now),
      put: [{ kind: 'suite', id: suiteId, document }],
      remember: { entity: `suite/${suiteId}` },
    };
  },
};

/** The refusal of flows that the plan does not allow. */
function planFault(flows: readonly Flow[], plan: Plan, limits: Limits): Refusal | null {
  const { checkFlows, checkFlowMs } = limits.plans[plan];
  if (flows.length > checkFlows) {
    return refusal('bad_request', {
      at: 'body.flows',
      seen: `${flows.length} flows`,
      expected: `at most the ${checkFlows} that the plan allows in a suite`,
    });
  }
  const slow = flows.findIndex(({ timeoutMs }) => timeoutMs > checkFlowMs);
  if (slow === -1) return null;
  return refusal('bad_request', {
    at: `body.flows[${slow}].timeoutMs`,
    seen: 'a longer time',
    expected: `at most the ${checkFlowMs} ms that the plan allows for a flow`,
  });
}

/** The refusal of a flow that looks at nothing, or at a page of another origin. */
function stepFault(flows: readonly Flow[], origin: string): Refusal | null {
  for (const [index, { steps }] of flows.entries()) {
    if (steps[0]?.action !== 'goto') {
      return refusal('bad_request', {
        at: `body.flows[${index}].steps[0].action`,
        seen: 'a step that opens no page',
        expected: 'goto as the first step',
      });
    }
    const at = steps.findIndex((step) => step.action === 'goto' && new URL(step.url).origin !== origin);
    if (at !== -1) {
      return refusal('bad_request', {
        at: `body.flows[${index}].steps[${at}].url`,
        seen: 'an address of another origin',
        expected: 'an address of the origin of the suite',
      });
    }
  }
  return null;
}
