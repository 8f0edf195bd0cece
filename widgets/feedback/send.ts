/** The content of a submission. */
export interface Content {
  readonly message: string;
  readonly rating?: number;
  readonly path: string;
}

/** The parts of a submission that tell people from programs. */
export interface Signs {
  readonly website: string;
  readonly elapsedMs: number;
}

/** `received`: stored. `lost`: the service may have it or not. `busy`: too much in a minute. `refused`: not now, however often it is sent. */
export type Result = 'received' | 'lost' | 'busy' | 'refused';

/** The time that an answer has, in milliseconds. */
const DEADLINE_MS = 15_000;

const SCHEMA_VERSION = '2026-08-27';
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_CHARACTERS = 24;

/** Random, so that two visitors never have the same. */
export function newSubmissionId(): string {
  let id = 'sub_';
  for (const byte of crypto.getRandomValues(new Uint8Array(ID_CHARACTERS))) id += BASE32.charAt(byte % 32);
  return id;
}

/**
 * Sends a submission. It arrives also if the visitor leaves the page meanwhile. A repeat with the same id is stored once, so
 * that it is safe to send it again after `lost`.
 */
export async function send(
  url: string,
  submissionId: string,
  content: Content,
  signs: Signs,
): Promise<Result> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ schemaVersion: SCHEMA_VERSION, submissionId, ...content, ...signs }),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      keepalive: true,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const { status } = response;
    if (status === 202) return 'received';
    if (status >= 500) return 'lost';
    const body = status === 429 ? await response.json() : null;
    return body?.error?.code === 'rate_limited' ? 'busy' : 'refused';
  } catch {
    return 'lost';
  }
}
