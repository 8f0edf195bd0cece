import { SWITCHES_ON, SWITCHES_ROW } from '../../schemas/organizations/switches.ts';
import type { CommandHandler } from '../runtime/fold/fold.ts';
import { refused } from '../runtime/fold/results.ts';
import { actingOperator, memberRow } from './members.ts';
import type { OrganizationsFold } from './organizations-fold.ts';

/** An owner of the operators' organization, or the operator on the machine, sets the switches of the service. */
export const setSwitches: CommandHandler<OrganizationsFold, 'set-switches'> = {
  reads: ({ actor }) => [memberRow(actor.id), SWITCHES_ROW],
  fold(scope) {
    const { actor, row } = scope;
    const { only, ...given } = scope.input;
    const acting = actor.kind === 'operator' ? null : actingOperator(scope);
    if (acting !== null && 'refused' in acting) return refused(acting.refused);
    const switches =
      only === undefined ? given : { ...(row(SWITCHES_ROW.kind, SWITCHES_ROW.id) ?? SWITCHES_ON) };
    for (const name of only ?? []) switches[name] = given[name];
    return {
      outcome: { kind: 'done', result: switches },
      put: [{ ...SWITCHES_ROW, document: switches }],
      audit: only === undefined ? switches : { ...switches, changed: only.join(' ') },
      remember: false,
    };
  },
};
