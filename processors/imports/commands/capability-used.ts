import { DROPPED, type Step } from '../step.ts';

/** Keeps when a capability was last seen. */
export const capabilityUsed: Step<'capability-used'> = {
  reads: ({ capabilityId }) => [{ kind: 'capability', id: capabilityId }],
  fold({ view, input, context }) {
    const { capabilityId } = input;
    const capability = view.row('capability', capabilityId);
    if (capability === null) return DROPPED;
    const document = { ...capability, lastUsedAt: context.now };
    return { ...DROPPED, put: [{ kind: 'capability', id: capabilityId, document }] };
  },
};
