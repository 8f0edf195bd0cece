import { z } from 'zod';
import type { CommandContext } from '../command.ts';
import { CommandFailure, type Next } from '../failure.ts';
import { fetchText, type Received } from '../http/fetch-text.ts';
import { refusedFailure } from '../http/refusals.ts';
import { withRetries } from '../http/retries.ts';
import type { Access } from '../state/environment-workspace.ts';
import type { CutLine } from './lines.ts';

/** The time that one answer may take. The service ends its waits earlier. */
const ANSWER_MS = 30_000;

/** JSON-RPC: a text that is no JSON, and an error that the server defines. */
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

const DOCTOR: Next = ['svc', 'doctor'];
const HELP = { next: DOCTOR, missing: DOCTOR, afterEnd: DOCTOR };
const VERSION_MEMBER = 'io.modelcontextprotocol/protocolVersion';

/** The parts of a message that its headers repeat. Everything else passes through unread. */
const messageSchema = z.looseObject({
  id: z.unknown().optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      name: z.string().optional(),
      _meta: z.looseObject({ [VERSION_MEMBER]: z.string().optional() }).optional(),
    })
    .optional(),
});

type Message = z.infer<typeof messageSchema>;

const answerSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  result: z.looseObject({ protocolVersion: z.string().optional() }).optional(),
});

type Answer = z.infer<typeof answerSchema>;

/** Most tools take an idempotency key, or change nothing when they are called again. */
const UNKNOWN =
  'It is not known whether the call took effect. The same call with the same arguments finds out.';

/** A text that a header can hold. */
const PLAIN = /^[\x21-\x7e]{1,200}$/;

interface ForwarderOptions {
  readonly context: CommandContext;
  readonly access: Access;
}

/** Sends messages of the Model Context Protocol to `/mcp` of the service, one request for each. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  /** The revision that a handshake of before 2026 has agreed on. */
  #agreedVersion: string | null = null;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /**
   * Forwards a message and returns the answer as a line, or null for a notification. A failure becomes an error of the
   * protocol, because the client reads nothing else.
   *
   * @param line a message, or the ends of one that is too long
   */
  async forward(line: string | CutLine): Promise<string | null> {
    const message = parse(line);
    if (message === null) {
      return JSON.stringify({
        jsonrpc: '2.0',
        id: typeof line === 'string' ? null : idIn(line),
        error: {
          code: PARSE_ERROR,
          message: 'Parse error: expected one JSON object of at most 1 MiB in a line.',
        },
      });
    }
    try {
      const received = await this.#send(message);
      const answer = this.#read(received, isCall(message));
      return answer === null ? null : JSON.stringify(answer);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      return message.id === undefined ? null : JSON.stringify(this.#errorOf(message, error));
    }
  }

  async #send(message: Message): Promise<Received> {
    const { context, access } = this.#options;
    const text = JSON.stringify(message);
    const headers = {
      ...protocolHeaders(message, this.#agreedVersion),
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${access.credential}`,
      'content-type': 'application/json',
      'user-agent': `svc-cli/${context.release.version}`,
    };
    const request = { method: 'POST', headers, body: () => text, timeoutMs: ANSWER_MS };
    const { signal } = context;
    return await withRetries({ signal, isChange: isCall(message) }, () =>
      fetchText(`${access.baseUrl}/mcp`, request, signal),
    );
  }

  /** Reads an answer of the protocol. Such an answer can have the status of an error, too. */
  #read(received: Received, isChange: boolean): Answer | null {
    if (received.status < 300 && received.text === '') return null;
    const answer = answerSchema.safeParse(jsonOf(received.text)).data;
    if (answer === undefined) throw refusedFailure(received, HELP, isChange);
    this.#agreedVersion = answer.result?.protocolVersion ?? this.#agreedVersion;
    return answer;
  }

  #errorOf({ id }: Message, failure: CommandFailure) {
    const { code, requestId, retryAfterSeconds, next, isUnknown } = failure;
    const { line } = this.#options.context;
    const message = isUnknown ? `${failure.message} ${UNKNOWN}` : failure.message;
    const data = { code, requestId, retryAfterSeconds, next: next === null ? null : line(next) };
    return { jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message, data } };
  }
}

/** The headers in which a client repeats facts of its message (Streamable HTTP). */
function protocolHeaders({ method, params }: Message, agreed: string | null): Record<string, string> {
  const version = params?._meta?.[VERSION_MEMBER];
  const headers: Record<string, string | undefined | null> =
    version === undefined
      ? { 'mcp-protocol-version': agreed }
      : { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': params?.name };
  const plain = Object.entries(headers).filter((entry): entry is [string, string] =>
    PLAIN.test(entry[1] ?? ''),
  );
  return Object.fromEntries(plain);
}

/** True for the call of a tool, which may change something. */
function isCall({ method }: Message): boolean {
  return method === 'tools/call';
}

function parse(line: string | CutLine): Message | null {
  return messageSchema.safeParse(typeof line === 'string' ? jsonOf(line) : null).data ?? null;
}

/** The id of a message as its first member, the version aside, or as its last one. Anywhere else it may be of another object. */
const FIRST_ID = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("[^"\\]*"|-?\d+)/;
const LAST_ID = /,\s*"id"\s*:\s*("[^"\\]*"|-?\d+)\s*\}\s*$/;

/** Returns the id of a message that was cut, or null. */
function idIn({ ends }: CutLine): unknown {
  const [, id] = FIRST_ID.exec(ends) ?? LAST_ID.exec(ends) ?? [];
  return id === undefined ? null : jsonOf(id);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
