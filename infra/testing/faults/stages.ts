import { CLUSTER_INJECT } from './cluster-faults.ts';
import { ClusterStage } from './cluster-stage.ts';
import { EMBEDDED_INJECT } from './embedded-faults.ts';
import { EmbeddedStage } from './embedded-stage.ts';
import type { History } from './history.ts';
import type { ClusterFault, EmbeddedFault, FaultEngine, PlannedFault } from './plan.ts';
import type { Stage, StageOptions } from './stage.ts';

/** A running service, and the way to disturb it. */
export interface OpenedStage {
  readonly stage: Stage;
  /** Injects a planned fault and mends it: ended processes run again, and broken connections carry data again. */
  readonly inject: (planned: PlannedFault, history: History) => Promise<void>;
}

/** Starts a service on each engine. */
export const OPEN_STAGE: Readonly<Record<FaultEngine, (options: StageOptions) => Promise<OpenedStage>>> = {
  cluster: async (options) => {
    const stage = await ClusterStage.open(options);
    return {
      stage,
      inject: ({ fault, draws }, history) => CLUSTER_INJECT[fault as ClusterFault](stage, draws, history),
    };
  },
  embedded: async (options) => {
    const stage = await EmbeddedStage.open(options);
    return { stage, inject: ({ fault, draws }) => EMBEDDED_INJECT[fault as EmbeddedFault](stage, draws) };
  },
};
