import { type EngineName, ServerProcess } from '../events/server-process.ts';
import type { Point } from './point.ts';

/** Events of one append while a size is made. */
const FILL_AT_ONCE = 2_000;
/** Events under way while the cost is measured: fewer than installations, so that nearly every event is a batch alone. */
const MEASURED_AT_ONCE = 8;
/** Installations of a point whose size is something else. */
const USUAL_INSTALLATIONS = 10;
const EVENTS_AN_ENROLLMENT = 5;

export interface EventSizes {
  readonly engine: EngineName;
  /** Events of {@link USUAL_INSTALLATIONS} before. */
  readonly events: readonly number[];
  readonly installations: readonly number[];
  /** Enrollments of one installation. */
  readonly enrollments: readonly number[];
  /** Events of other installations before anything is measured: code is compiled meanwhile. */
  readonly warmUp: number;
  /** Events of a measurement. */
  readonly sample: number;
}

/** The cost of a milestone of a checklist from its append to its commit, each size in a separate process with separate data. */
export function eventPoints(sizes: EventSizes, servers: ServerProcess[]): Point[] {
  const point = (sort: string, size: number, aggregates: number, before: number): Point => {
    let server: ServerProcess | null = null;
    const grow = async (set: string, installations: number, commands: number, atOnce: number) => {
      if (server === null) throw new Error('measuring before the process is started');
      return await server.ask({ kind: 'grow', set, aggregates: installations, commands, atOnce });
    };
    return {
      sort,
      size,
      async fill() {
        server = await ServerProcess.start({ engine: sizes.engine });
        servers.push(server);
        await grow('warm-up', USUAL_INSTALLATIONS, sizes.warmUp, FILL_AT_ONCE);
        await grow('warm-up', USUAL_INSTALLATIONS, sizes.sample, MEASURED_AT_ONCE);
        await grow('measured', aggregates, before, FILL_AT_ONCE);
      },
      async measure() {
        const { cpuMs } = await grow('measured', aggregates, sizes.sample, MEASURED_AT_ONCE);
        return (cpuMs * 1_000) / sizes.sample;
      },
    };
  };
  return [
    ...sizes.events.map((size) => point('events', size, USUAL_INSTALLATIONS, size)),
    ...sizes.installations.map((size) => point('installations', size, size, size)),
    ...sizes.enrollments.map((size) => point('enrollments', size, 1, size * EVENTS_AN_ENROLLMENT)),
  ];
}
