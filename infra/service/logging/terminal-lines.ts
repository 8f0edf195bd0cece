// Writes: the log as lines for a person, where standard output is a terminal.
import type { DestinationStream } from 'pino';
import { z } from 'zod';

const lineSchema = z.looseObject({ level: z.string(), time: z.string(), msg: z.string() });

const requestSchema = z.object({
  requestId: z.string(),
  route: z.string().nullable(),
  method: z.string().nullable(),
  status: z.int().nullable(),
  durationMs: z.number(),
});

const startedSchema = z.object({ address: z.string() });

const FAILED_LEAST = 400;
/** The hours, minutes and seconds of a time in ISO 8601. */
const CLOCK = [11, 19] as const;

/** A destination for the logger that shows its lines to a person. */
export function terminalDestination(output: { write(text: string): unknown }): DestinationStream {
  return { write: (line) => void output.write(terminalLines(line)) };
}

/** A line of the log as a person reads it. Lines that are no JSON stay as they are. */
function terminalLines(line: string): string {
  const parsed = lineSchema.safeParse(jsonOf(line));
  if (!parsed.success) return line;
  const { level, time, msg, ...fields } = parsed.data;
  if (msg === 'ServiceStarted') return startLines(startedSchema.parse(fields));
  if (msg === 'ServiceStopping') return 'Stopping. Requests and work that have begun are finished first.\n';
  const text = msg === 'RequestAnswered' ? requestText(requestSchema.parse(fields)) : eventText(msg, fields);
  const prefix = level === 'info' ? '' : `${level}: `;
  return `${time.slice(...CLOCK)}  ${prefix}${text}\n`;
}

function startLines({ address }: z.infer<typeof startedSchema>): string {
  return [
    `svc is running at ${address}`,
    `  console            ${address}/`,
    `  documentation      ${address}/docs`,
    `  guide for agents   ${address}/llms.txt`,
    `  interface          ${address}/openapi.json`,
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}

/** A request that failed is shown with its id, which the client has, too. */
function requestText({
  requestId,
  route,
  method,
  status,
  durationMs,
}: z.infer<typeof requestSchema>): string {
  const words = [status ?? 'gone', method ?? '', route ?? 'no such address', `${durationMs} ms`];
  return [...words, ...(status === null || status >= FAILED_LEAST ? [requestId] : [])].join('  ');
}

function eventText(msg: string, { said, ...fields }: Record<string, unknown>): string {
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [typeof said === 'string' ? `${msg}: ${said}` : msg, ...rest].join('  ');
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
