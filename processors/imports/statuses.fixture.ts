import { DAY_MS } from '../../schemas/base/time.ts';
import {
  configuration,
  type ImportsWorld,
  importIdOf,
  OWNER,
  outcomeOf,
  schemaId,
} from './imports-world.fixture.ts';

/** The import that all of these are about. */
export const NAME = 'orders';
export const importId = importIdOf(NAME);

/** Statuses of an import, each with the shortest way to it. */
export const STATUSES = {
  reserved: (world) => void world.reserve(NAME),
  unmapped: (world) => {
    world.reserve(NAME);
    world.upload(NAME);
  },
  uploaded: (world) => {
    world.reserve(NAME);
    world.upload(NAME);
    world.map(NAME);
  },
  validating: (world) => world.startValidation(NAME),
  ready: (world) => world.ready(NAME),
  needs_correction: (world) => {
    world.startValidation(NAME);
    world.partition(NAME, 1, 0, outcomeOf(0, 8, 2));
    world.partition(NAME, 1, 1);
  },
  approved: (world) => {
    world.ready(NAME);
    world.approve(NAME);
  },
  delivered: (world) => {
    world.ready(NAME);
    world.approve(NAME);
    world.acknowledge(NAME, 0);
    world.acknowledge(NAME, 1);
  },
  failed: (world) => {
    world.reserve(NAME);
    world.upload(NAME);
    world.map(NAME);
    world.validate(NAME);
    world.send('split-failed', {
      importId,
      attempt: 1,
      fault: { code: 'stray_quote', line: 3, byteOffset: 17 },
    });
  },
  cancelled: (world) => {
    world.ready(NAME);
    world.cancel(NAME, OWNER);
  },
  erased: (world) => {
    world.ready(NAME);
    world.erase(NAME);
  },
  expired: (world) => {
    world.lifecycle({ plan: 'free', state: 'active', expiresAt: null });
    world.ready(NAME);
    world.now += 7 * DAY_MS;
  },
  superseded: (world) => {
    world.ready(NAME);
    world.approve(NAME);
    world.send('revise-schema', { schemaId, configuration: configuration(2) });
  },
} as const satisfies Record<string, (world: ImportsWorld) => void>;

export type Status = keyof typeof STATUSES;
