import { randomBytes } from 'node:crypto';
import { activateReader } from '../../../../gateway/activate/checklist-reading.ts';
import { createActivateFold } from '../../../../processors/activate/fold.ts';
import { ID_BYTES, idFrom } from '../../../../schemas/base/ids.ts';
import { productRoutes } from '../../../service/gateway.ts';
import { foldSubscriptions } from '../../../service/processors.ts';
import { awaitedRecord } from '../events/records.ts';
import type { Scene } from '../events/scene.ts';
import { takeTurns, turnOf } from '../events/turns.ts';
import { appendEventRoute } from './append-event.ts';
import { eventRequestAt, LIMITS } from './checklist.ts';
import { beginningOf, eventCommand, type Place } from './commands.ts';

/** The secrets that the ids of a backlog derive from. */
const SECRETS = { secret: 'of the backlog', previous: null, identity: 'of the backlog' };

/** Milestones of onboarding checklists: everything that a service with the roles gateway and processors does with them. */
export const activateScene: Scene = {
  limits: LIMITS,
  fold: createActivateFold(LIMITS),
  subscriptions: (dependencies) => foldSubscriptions(dependencies, LIMITS),
  routes: (log) => [...productRoutes(), appendEventRoute(log)],
  backlog(aggregates, numbering = turnOf) {
    const places = Array.from({ length: aggregates }, newPlace);
    return {
      beginning: places.flatMap(beginningOf).map(awaitedRecord),
      recordAt(n) {
        const { item: place, nth } = takeTurns(places, n);
        const body = eventRequestAt(nth, numbering(nth, n % aggregates));
        return awaitedRecord({ ...eventCommand(place, body, SECRETS), topic: 'activate' });
      },
      async accepted(store) {
        const { installationId } = takeTurns(places, 0).item;
        return (await activateReader.read(store, installationId)).root.eventsAccepted;
      },
    };
  },
};

function newPlace(): Place {
  return {
    installationId: idFrom('installation', randomBytes(ID_BYTES)),
    checklistId: idFrom('checklist', randomBytes(ID_BYTES)),
  };
}
