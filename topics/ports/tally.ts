import type { JsonObject } from '../../schemas/base/json.ts';
import type { Outcome } from '../../schemas/base/outcome.ts';
import type { CommandTopicName } from '../catalogue.ts';

export interface TalliedCommit {
  readonly topic: CommandTopicName;
  /** The aggregate's id. */
  readonly key: string;
  /** The root document after the commit; null if there is none. */
  readonly root: JsonObject | null;
  readonly decided: readonly {
    readonly type: string;
    readonly outcome: Outcome;
    /** Unix milliseconds of the append. */
    readonly appendedAt: number;
  }[];
}

/**
 * Counts what operators see of all workspaces. No method throws, and none waits. It is a hint: what a process counted in its last
 * seconds may be lost with it.
 */
export interface ProcessorTally {
  committed(commit: TalliedCommit): void;
}

export interface GatewayTally {
  /** A workspace's submission of feedback was accepted, or held as what a program may have sent. */
  feedback(origin: string, isHeld: boolean, installationId: string): void;
}
