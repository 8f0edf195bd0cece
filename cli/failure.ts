import type { Exit } from './exit-codes.ts';

/** The words of a command that helps next. The word `svc` stands for the way in which this tool was started. */
export type Next = readonly [program: string, ...words: string[]];

interface FailureOptions {
  /** The name of the kind of failure, for programs. */
  readonly code: string;
  readonly exit: Exit;
  readonly next?: Next | undefined;
  /** The id of the request that the service refused. */
  readonly requestId?: string | undefined;
  /** True if the command may have done its work all the same, which the same command finds out. */
  readonly isUnknown?: boolean;
  /** Seconds after which the same command can succeed. */
  readonly retryAfterSeconds?: number | undefined;
  /** The findings of a file about which the caller has to decide. */
  readonly findings?: readonly FailureFinding[];
  readonly cause?: unknown;
}

/** A finding of a file, without a text of it. */
interface FailureFinding {
  readonly change: string;
  readonly count: number;
  readonly line: number | null;
}

/** A command that did not do its work. The message is public: it holds no secret and no value of a customer. */
export class CommandFailure extends Error {
  readonly code: string;
  readonly exit: Exit;
  readonly next: Next | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly isUnknown: boolean;
  readonly findings: readonly FailureFinding[];

  constructor(message: string, options: FailureOptions) {
    super(message, { cause: options.cause });
    this.name = 'CommandFailure';
    this.code = options.code;
    this.exit = options.exit;
    this.next = options.next ?? null;
    this.requestId = options.requestId ?? null;
    this.isUnknown = options.isUnknown ?? false;
    this.findings = options.findings ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** Makes the failure of a wrong command line or input. */
export function usageFailure(message: string, next?: Next): CommandFailure {
  return new CommandFailure(message, { code: 'usage', exit: 'usage', next });
}

/** Makes the failure of a command that a signal has stopped. */
export function interruption(exit: 'interrupted' | 'terminated' = 'interrupted'): CommandFailure {
  return new CommandFailure('Interrupted. Run the same command again to continue.', {
    code: 'interrupted',
    exit,
  });
}
