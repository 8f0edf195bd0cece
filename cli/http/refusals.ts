// Turns answers of the service into failures of commands.
import { z } from 'zod';
import type { ErrorCode } from '../../schemas/base/error-codes.ts';
import type { Exit } from '../exit-codes.ts';
import { CommandFailure, type Next } from '../failure.ts';

const envelopeSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), request_id: z.string() }),
});

/** The exit code of an answer by its status. */
const EXITS: Readonly<Record<number, Exit>> = {
  400: 'usage',
  401: 'authentication',
  404: 'missing',
  410: 'missing',
  413: 'limit',
  429: 'limit',
  503: 'network',
};

/** The exit code where the code of an error says more than its status. */
const EXITS_OF_CODES: Partial<Record<ErrorCode, Exit>> = { claim_required: 'confirmation' };

/** A command that helps, by the code of an error. */
const NEXT: Partial<Record<ErrorCode, Next>> = {
  unauthorized: ['svc', 'help', 'workspace', 'credential'],
  claim_required: ['svc', 'workspace', 'claim'],
  workspace_paused: ['svc', 'workspace', 'status'],
  expired: ['svc', 'workspace', 'status'],
  erased: ['svc', 'workspace', 'status'],
  product_not_enabled: ['svc', 'help', 'workspace', 'create'],
  limit_reached: ['svc', 'workspace', 'status'],
  internal_error: ['svc', 'doctor'],
  unavailable: ['svc', 'doctor'],
};

/** A sentence about the way out, by the code of an error. */
const HELP: Partial<Record<ErrorCode, string>> = {
  product_not_enabled:
    'No product can be added later: create another workspace with it, in another directory.',
};

/** Codes after which the message is all that helps. */
const ENOUGH_SAID: readonly string[] = ['rate_limited'];

/** An answer that is no success. */
export interface Refused {
  readonly status: number;
  /** The text of the body. */
  readonly text: string;
  /** From the `Retry-After` header, or null. */
  readonly retryAfterSeconds: number | null;
}

/** The commands that help after a refusal. */
export interface Help {
  /** The one for a refusal whose code names no command. */
  readonly next: Next;
  /** The one for a resource that does not exist. */
  readonly missing: Next;
  /** The one for a workspace that has ended for good. */
  readonly afterEnd: Next;
}

/**
 * Makes the failure of a refused request.
 *
 * @param isChange true if the request changes something, which an error of the service leaves open
 */
export function refusedFailure(
  { status, text, retryAfterSeconds }: Refused,
  help: Help,
  isChange: boolean,
): CommandFailure {
  const envelope = parseEnvelope(text);
  if (envelope === null) {
    return new CommandFailure(
      `The server answered ${status}, but not in the format of this service. A proxy may have answered.`,
      {
        code: 'unexpected_answer',
        exit: status >= 500 ? 'network' : 'failed',
        next: ['svc', 'doctor'],
        isUnknown: isChange && status >= 500,
      },
    );
  }
  const { code, request_id } = envelope;
  const wayOut = HELP[code as ErrorCode];
  const message = wayOut === undefined ? envelope.message : `${envelope.message} ${wayOut}`;
  return new CommandFailure(withReset(message, status, retryAfterSeconds), {
    code,
    exit: EXITS_OF_CODES[code as ErrorCode] ?? EXITS[status] ?? 'failed',
    requestId: request_id,
    retryAfterSeconds: retryAfterSeconds ?? undefined,
    // The text of 503 says by itself what is known.
    isUnknown: isChange && status >= 500 && status !== 503,
    next: nextOf(code, help),
  });
}

function nextOf(code: string, { next, missing, afterEnd }: Help): Next | undefined {
  if (ENOUGH_SAID.includes(code)) return undefined;
  if (code === 'workspace_disconnected') return afterEnd;
  return code === 'not_found' ? missing : (NEXT[code as ErrorCode] ?? next);
}

function withReset(message: string, status: number, retryAfterSeconds: number | null): string {
  if (status !== 429) return message;
  if (retryAfterSeconds === null) return `${message} Waiting does not help.`;
  const at = new Date(Date.now() + retryAfterSeconds * 1_000).toISOString();
  return `${message} It resets in ${retryAfterSeconds} s, at ${at}.`;
}

function parseEnvelope(text: string) {
  try {
    return envelopeSchema.parse(JSON.parse(text)).error;
  } catch {
    return null;
  }
}
