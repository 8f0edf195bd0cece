import { SWITCHES_ROW } from '../../schemas/organizations/switches.ts';
import type { CommandHandler } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import { actingOperator, memberRow } from './members.ts';
import type { OrganizationsFold } from './organizations-fold.ts';

/** An owner of the operators' organization, or the operator on the machine, sets the switches of the service. */
export const setSwitches: CommandHandler<OrganizationsFold, 'set-switches'> = {
  reads: ({ actor }) => [memberRow(actor.id)],
  fold(scope) {
    const { input, actor } = scope;
    const acting = actor.kind === 'operator' ? null : actingOperator(scope);
    if (acting !== null && 'refused' in acting) return refused(acting.refused);
    return {
      outcome: { kind: 'done', result: input },
      put: [{ ...SWITCHES_ROW, document: input }],
      audit: input,
      remember: false,
    };
  },
};
