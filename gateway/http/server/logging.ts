import { type DestinationStream, type Level, type Logger, pino, symbols } from 'pino';
import { isoTime } from '../../../schemas/base/time.ts';
import type { PrincipalKind } from '../../principals.ts';

export interface LoggerOptions {
  readonly level: Level | 'silent';
  /** The destination of the lines: standard output by default. */
  readonly destination?: DestinationStream;
}

/** Members that are never written, wherever they stand in the first two levels. */
const HIDDEN_MEMBERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'credential',
  'password',
  'secret',
  'token',
  'provisionToken',
  'uploadToken',
  'sessionToken',
]);
const HIDDEN = '[hidden]';

/** Anything that looks like one of the service's secrets or keys. */
const SECRET_LIKE = /svc_[a-z_]+_[0-9A-Za-z]{16,}/g;

/** Lines are written at the latest when so much of them waits. */
const WAITING_CHARACTERS_MAX = 64 * 1_024;

/**
 * The logger of the process: JSON lines. Its callers must not log secrets. As the second line of defence, it hides
 * members by their names, and text that looks like a secret in every line.
 */
export function createLogger(options: LoggerOptions): Logger {
  const destination = options.destination ?? standardOutput();
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: timeMember,
      formatters: { level: (level) => ({ level }), log: (record) => hideMembers(record, 2) },
    },
    { write: (line: string) => destination.write(line.replace(SECRET_LIKE, HIDDEN)) },
  );
}

/** The member with the time of a line, as pino wants it; lines of one millisecond share it. */
const timeMember = (() => {
  let at = Number.NaN;
  let member = '';
  return (): string => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      member = `,"time":"${isoTime(now)}"`;
    }
    return member;
  };
})();

/** The same record, or a copy with the values of hidden members replaced. */
function hideMembers(record: Record<string, unknown>, levels: number): Record<string, unknown> {
  let shown = record;
  for (const name of Object.keys(record)) {
    const value = record[name];
    const replaced = HIDDEN_MEMBERS.has(name)
      ? HIDDEN
      : levels > 1 && isRecord(value)
        ? hideMembers(value, levels - 1)
        : value;
    if (replaced === value) continue;
    if (shown === record) shown = { ...record };
    shown[name] = replaced;
  }
  return shown;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Standard output, to which the lines of one turn of the event loop are written together, and what is left when the process
 * exits. One that is killed loses the lines of the turn that it was in.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true });
  let waiting = '';
  const flush = (): void => {
    const lines = waiting;
    waiting = '';
    if (lines !== '') output.write(lines);
  };
  process.once('exit', flush);
  return {
    write: (line) => {
      if (waiting === '') setImmediate(flush);
      waiting += line;
      if (waiting.length > WAITING_CHARACTERS_MAX) flush();
    },
  };
}

/** The one line that a request leaves: nothing in it comes from the caller but the method and the trace. Ids come from the store. */
export interface RequestRecord {
  readonly requestId: string;
  /** Absent while no traces are exported. */
  readonly traceId?: string | undefined;
  /** The route's name, or null when none matched. */
  readonly route: string | null;
  readonly method: string | null;
  /** The status, or null when the caller went away before an answer. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly principal: PrincipalKind | null;
  /** The id of the credential, key, capability, import or person that the request was made with. */
  readonly caller: string | null;
  /** The id of the workspace that it was about. */
  readonly workspace: string | null;
}

/** The parts of pino that its types leave out. */
interface Writing {
  readonly [symbols.streamSym]: DestinationStream;
}

/**
 * Writes that line as the logger would, to where the logger writes. By hand, as it is most of the log: the way through the
 * logger takes several times as long, and there is nothing to hide in it.
 */
export function logRequest(logger: Logger, record: RequestRecord): void {
  if (!logger.isLevelEnabled('info')) return;
  const { [symbols.streamSym]: stream } = logger as unknown as Writing;
  const members = JSON.stringify(record).slice(1, -1);
  stream.write(`{"level":"info"${timeMember()},${members},"msg":"RequestAnswered"}\n`);
}

/** Logs an unexpected error. */
export function logUnexpected(
  logger: Logger,
  request: Pick<RequestRecord, 'requestId' | 'traceId' | 'route'>,
  error: unknown,
): void {
  logger.error({ ...request, error: describeError(error) }, 'UnexpectedError');
}

const CAUSES_MAX = 4;
const QUOTED = /["'`].*["'`]/s;

/**
 * Returns the loggable part of an error: name, code, stack, and the message unless it could hold a value. Messages of
 * Node's own errors can hold values, so only their codes are logged. Other messages lose quoted text.
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
