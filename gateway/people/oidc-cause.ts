import { z } from 'zod';

/** The cause of a failed sign-on, for the log: codes and issuers, and nothing of tokens, secrets or people. */
export interface SignOnCause {
  /** The innermost message, without what it quotes. */
  readonly message?: string | undefined;
  /** The error that the provider names, such as `invalid_client`. */
  readonly error?: string | undefined;
  /** The status of the provider's answer. */
  readonly status?: number | undefined;
  /** The code of the client library, or of the system, such as `ECONNREFUSED`. */
  readonly code?: string | undefined;
  /** The claim of the ID token, or the member of the provider's description, that is wrong. */
  readonly claim?: string | undefined;
  /** The issuer that the settings name, and the issuer that the provider names. */
  readonly expected?: string | undefined;
  readonly seen?: string | undefined;
}

const CAUSES_MAX = 6;

/** A code as RFC 6749 and the registries have it. Anyone can write another one into the address of the way back. */
const code = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_.]{0,63}$/)
  .optional()
  .catch(undefined);
const text = z.string().optional().catch(undefined);

/** Every member of the library's errors, and of what they name as their cause, that can be shown. */
const causeSchema = z.object({
  error: code,
  status: z.int().optional().catch(undefined),
  code,
  attribute: code,
  claim: code,
  expected: text,
  body: z.object({ issuer: text }).optional().catch(undefined),
  claims: z.object({ iss: text }).optional().catch(undefined),
  parameters: z.instanceof(URLSearchParams).optional().catch(undefined),
});

/** Reads the cause of an error of the client library, from the outermost error to the innermost. */
export function signOnCause(error: unknown): SignOnCause {
  const found: { -readonly [Name in keyof SignOnCause]: SignOnCause[Name] } = {};
  let at = error;
  for (let depth = 0; depth < CAUSES_MAX && typeof at === 'object' && at !== null; depth += 1) {
    if (at instanceof Error) found.message = withoutQuotes(at.message);
    const { data } = causeSchema.safeParse(at);
    if (data === undefined) break;
    const { attribute, claim = attribute, ...members } = data;
    found.error ??= members.error;
    found.status ??= members.status;
    // The innermost code says most: the library's own stands for any error of the network.
    found.code = members.code ?? found.code;
    found.claim ??= claim;
    Object.assign(found, issuersOf(claim, members));
    at = 'cause' in at ? challengeIn(at.cause) : null;
  }
  return found;
}

/** A refused `Authorization` header has the error in its first challenge (RFC 6750, section 3). */
function challengeIn(cause: unknown): unknown {
  return Array.isArray(cause) ? cause[0]?.parameters : cause;
}

type Members = Omit<z.infer<typeof causeSchema>, 'attribute' | 'claim'>;

function issuersOf(claim: string | undefined, { expected, body, claims, parameters }: Members) {
  if (expected === undefined) return {};
  const seen = { issuer: body?.issuer, iss: claims?.iss }[claim ?? ''] ?? parameters?.get('iss');
  return seen == null ? {} : { expected: shownIssuer(expected), seen: shownIssuer(seen) };
}

const ISSUER_CHARACTERS_MAX = 200;

/** An issuer without a user, a password or a query. */
function shownIssuer(issuer: string): string {
  const url = URL.parse(issuer);
  return url === null ? 'no address' : `${url.origin}${url.pathname}`.slice(0, ISSUER_CHARACTERS_MAX);
}

function withoutQuotes(message: string): string {
  return message.replace(/["'`].*["'`]/s, '…');
}
