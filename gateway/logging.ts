import { type DestinationStream, type Level, type Logger, pino } from 'pino';
import type { PrincipalKind } from './route.ts';

export interface LoggerOptions {
  readonly level: Level | 'silent';
  /** Where the lines go: standard output unless told otherwise. */
  readonly destination?: DestinationStream;
}

/** Whole members that are never written, wherever they stand in the first two levels. */
const HIDDEN_MEMBERS = [
  'authorization',
  'cookie',
  'credential',
  'password',
  'secret',
  'token',
  'provisionToken',
  'uploadToken',
  'sessionToken',
];

/** Anything that looks like one of the service's secrets or keys. */
const SECRET_LIKE = /svc_[a-z_]+_[0-9A-Za-z]{16,}/g;

/**
 * The logger of the process: JSON lines. That no secret reaches it is the duty of whoever logs; hiding members by
 * their names, and in every line whatever looks like a secret, is the second line of defence.
 */
export function createLogger(options: LoggerOptions): Logger {
  const destination = options.destination ?? pino.destination({ dest: 1, sync: true });
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      redact: {
        paths: HIDDEN_MEMBERS.flatMap((member) => [member, `*.${member}`]),
        censor: '[hidden]',
      },
    },
    { write: (line: string) => destination.write(line.replace(SECRET_LIKE, '[hidden]')) },
  );
}

/** The one line that a request leaves: nothing in it comes from the caller but the method. */
export interface RequestRecord {
  readonly requestId: string;
  /** The route's name, or null when none matched. */
  readonly route: string | null;
  readonly method: string | null;
  /** The status, or null when the caller went away before an answer. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly principal: PrincipalKind | null;
}

export function logRequest(logger: Logger, record: RequestRecord): void {
  logger.info(record, 'RequestAnswered');
}

/** Logs an error that nobody foresaw. */
export function logUnexpected(logger: Logger, requestId: string, route: string | null, error: unknown): void {
  logger.error({ requestId, route, error: describeError(error) }, 'UnexpectedError');
}

const CAUSES_MAX = 4;
const QUOTED = /["'`].*["'`]/s;

/**
 * What may be kept of an error: its name, code and stack, and its message unless that could hold a value. Messages of
 * Node's own errors do, and their codes say enough; other messages lose whatever they quote.
 */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    name: error.name,
    code,
    message: code?.startsWith('ERR_') === true ? undefined : error.message.replace(QUOTED, '…'),
    stack: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
    cause:
      error.cause === undefined || depth === CAUSES_MAX ? undefined : describeError(error.cause, depth + 1),
  };
}
