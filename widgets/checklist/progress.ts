/** The maximum time of one request, its answer's body included. */
const DEADLINE_MS = 8_000;

/** One step of a checklist. */
export interface Step {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly actionPath: string;
  readonly completed: boolean;
}

/** The progress of one subject. */
export interface Progress {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly completedSteps: number;
  readonly totalSteps: number;
  readonly complete: boolean;
}

/** A read-only session. It is kept in this object and nowhere else. */
export interface Session {
  readonly token: string;
  readonly progressUrl: string;
}

/** An answer that is neither progress nor "unchanged". */
export interface Refused {
  readonly status: number;
  /** From `Retry-After`; 0 without it. */
  readonly retryMs: number;
}

/** The progress with its entity tag; null: unchanged. */
export interface Read {
  readonly progress: Progress | null;
  readonly etag: string;
}

/**
 * Asks the page's own backend for a session of the signed-in user.
 *
 * @throws {Refused} for a refusal; {Error} without an answer in time
 */
export async function openSession(path: string): Promise<Session> {
  const { body } = await ask(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json', 'X-Svc-Activate': '1' },
    body: '{}',
  });
  return body as Session;
}

/**
 * Reads the progress, or learns that it is the one with this entity tag.
 *
 * @throws {Refused} {Error}
 */
export async function readProgress({ token, progressUrl }: Session, known: string): Promise<Read> {
  const headers = { Authorization: `Bearer ${token}`, 'If-None-Match': known };
  const { ok, etag, body } = await ask(progressUrl, { credentials: 'omit', headers });
  const progress = body as Progress;
  // Throws for an answer that is none, such as a page of a proxy.
  return ok && progress.steps.length > 0 ? { progress, etag } : { progress: null, etag: known };
}

async function ask(address: string, init: RequestInit) {
  const answer = await fetch(address, {
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(DEADLINE_MS),
    ...init,
  });
  const { status, ok, headers } = answer;
  if (!ok && status !== 304) {
    const retryMs = 1_000 * Number(headers.get('Retry-After')) || 0;
    throw { status, retryMs } satisfies Refused;
  }
  // "Unchanged" has no body.
  return { etag: headers.get('ETag') ?? '', body: Object(ok && (await answer.json())) as object, ok };
}
