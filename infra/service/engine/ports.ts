import type { Logger } from 'pino';
import type { EngineName } from '../../../schemas/operations/process-report.ts';
import type { Approvals } from '../../../topics/ports/approvals.ts';
import type { Blobs } from '../../../topics/ports/blobs.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import type { Counters } from '../../../topics/ports/counters.ts';
import type { DigestIndex } from '../../../topics/ports/digest-index.ts';
import type { Room } from '../../../topics/ports/disk-room.ts';
import type { Marks } from '../../../topics/ports/installation-marks.ts';
import type { Limiter } from '../../../topics/ports/limiter.ts';
import type { Log } from '../../../topics/ports/log.ts';
import type { ProcessReports } from '../../../topics/ports/process-reports.ts';
import type { Replies } from '../../../topics/ports/replies.ts';
import type { Store } from '../../../topics/ports/store.ts';
import type { Settings } from '../settings/settings.ts';
import type { RetryOptions } from './connect-with-retry.ts';

/** The clock that stamps records. */
export interface LogTime extends Clock {
  /** Milliseconds by which the own clock is certainly ahead of it; negative: behind; 0 where no difference is certain. */
  aheadMs(): number;
}

/** A part of an engine that does not answer within this time counts as down: probes wait a second or two. */
export const ENGINE_ANSWER_MS_MAX = 1_000;

/** A server that the process depends on, or the engine within the process. */
export interface EnginePart {
  readonly name: EngineName;
  /** Asks for a sign of life. Rejects with `EngineUnavailableError` when it does not answer. */
  answers(): Promise<void>;
}

/** Every port, opened. */
export interface Engine {
  readonly log: Log;
  /** The log's time, and how far this process's own clock is from it. */
  readonly logClock: LogTime;
  readonly store: Store;
  readonly replies: Replies;
  readonly approvals: Approvals;
  readonly blobs: Blobs;
  readonly digestIndex: DigestIndex;
  readonly marks: Marks;
  readonly counters: Counters;
  readonly limiter: Limiter;
  readonly processReports: ProcessReports;
  /** The room that the engine has left. */
  room(): Room;
  readonly parts: readonly EnginePart[];
  /** One bounded step of removing what is expired; true while there may be more to do. */
  tidy(now: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once when the engine cannot write any more: the process has to end. */
  readonly onFatal: (error: unknown) => void;
  /** The retries of the whole start; absent: of the opening alone. */
  readonly retries?: RetryOptions;
}
