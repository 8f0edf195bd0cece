import { z } from 'zod';
import { ERROR_CODES, ERRORS, type ErrorCode } from './error-codes.ts';
import { requestIdSchema } from './ids.ts';

/** A stable code for programs. */
export const errorCodeSchema = z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]);

/** A refusal as a value: what a fold or a check answers instead of a result. The message holds no customer value. */
export const refusalSchema = z.strictObject({
  code: errorCodeSchema,
  message: z.string(),
  /** Seconds after which waiting helps; absent where it does not. */
  retryAfterSeconds: z.int().positive().optional(),
});

export type Refusal = z.infer<typeof refusalSchema>;

/** The error envelope (infra/docs/reference/README.md#a-request-and-its-answer): exactly these members, everywhere. */
export const errorEnvelopeSchema = z
  .strictObject({
    error: z
      .strictObject({
        code: errorCodeSchema.meta({
          description: 'A stable code for programs. It determines the status.',
          example: 'not_found',
        }),
        message: z.string().meta({
          description:
            'A sentence for people. It names the field and what is allowed, and repeats no value. It may change.',
          example: ERRORS.not_found.meaning,
        }),
        request_id: requestIdSchema.describe(
          'The request, as in the header `X-Request-Id`. Quote it when you ask for help.',
        ),
      })
      .meta({ id: 'ErrorDetail', description: 'A code with a sentence about it.' })
      .describe('The code is for programs, the message for people.'),
  })
  .meta({
    id: 'Error',
    description: 'The body of every answer with a status of 400 or more.',
  });

/** A refusal on its way up through the gateway. `message` is public; `cause` is for the log only. */
export class ServiceError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.message, options);
    this.name = 'ServiceError';
    this.refusal = refusal;
  }
}

/** Codes of failures of the service. Nothing is wrong with a request that gets one. */
type FailureCode = 'internal_error' | 'unavailable';

/** Parts of a request, and resources with a state that can refuse one. */
type FaultRoot =
  | 'body'
  | 'path'
  | 'query'
  | 'header'
  | 'request'
  | 'idempotencyKey'
  | 'caller'
  | 'person'
  | 'organization'
  | 'workspace'
  | 'installation'
  | 'plan'
  | 'checklist'
  | 'schema'
  | 'capability'
  | 'credential'
  | 'session'
  | 'import'
  | 'origin'
  | 'invitation'
  | 'service';

/**
 * The three parts of the message of a refusal. None of them may hold a secret or a value of a customer: `seen` names the kind,
 * the size, the count or the state of a value.
 */
export interface Fault {
  /** The field, header, parameter or property at fault: `body.origin`, `header.Host`, `import.status`. */
  readonly at: FaultRoot | `${FaultRoot}.${string}` | `${FaultRoot}[${string}`;
  /** A noun phrase without a comma. */
  readonly seen: string;
  /** A noun phrase, with what the caller can do behind a semicolon. */
  readonly expected: string;
}

/** The text that goes with a code: of a failure a sentence, of a refusal its three parts. */
type Explanation<Code extends ErrorCode> = Code extends FailureCode ? string : Fault;

/** Returns `<at>: seen <seen>, expected <expected>`. The full stop is missing, so that faults can be joined. */
export function describeFault({ at, seen, expected }: Fault): string {
  return `${at}: seen ${seen}, expected ${expected}`;
}

/** Makes a refusal value. Its message names the place of the fault, what was seen and what is allowed. */
export function refusal<Code extends ErrorCode>(
  code: Code,
  explanation: Explanation<Code>,
  retryAfterSeconds?: number,
): Refusal {
  const message = typeof explanation === 'string' ? explanation : `${describeFault(explanation)}.`;
  return retryAfterSeconds === undefined ? { code, message } : { code, message, retryAfterSeconds };
}

/** Makes an error with a {@link refusal}, for a check of the gateway to throw. */
export function serviceError<Code extends ErrorCode>(
  code: Code,
  explanation: Explanation<Code>,
  retryAfterSeconds?: number,
): ServiceError {
  return new ServiceError(refusal(code, explanation, retryAfterSeconds));
}

/** Makes the refusal of an idempotency key that was used with other input. @param at the part of the request that holds it */
export function usedKey(at: Fault['at']): Refusal {
  return refusal('idempotency_conflict', {
    at,
    seen: 'a key that was used with other input',
    expected: 'the same input again or a new key',
  });
}
