import type { Progress, ProgressSession } from '../../schemas/activate/http.ts';

/** The maximum time of one request, its answer's body included. */
const DEADLINE_MS = 8_000;

/** One step of a checklist. */
export type Step = Progress['steps'][number];

/** An answer that is neither progress nor "unchanged". */
export interface Refused {
  readonly status: number;
  /** From `Retry-After`; 0 without it. */
  readonly retryMs: number;
}

/**
 * Returns a function that reads the progress of the signed-in user; null if it is unchanged. The page's own backend opens the session.
 *
 * The function throws {@link Refused} for a refusal, and Error without an answer in time.
 */
export function progressOf(sessionPath: string): () => Promise<Progress | null> {
  let session: ProgressSession | null = null;
  let etag = '';
  const attempt = async (): Promise<Response> => {
    session ??= (await (
      await ask(sessionPath, {
        method: 'POST',
        credentials: 'same-origin',
        headers: { 'Content-Type': 'application/json', 'X-Svc-Activate': '1' },
        body: '{}',
      })
    ).json()) as ProgressSession;
    const headers = { Authorization: `Bearer ${session.token}`, 'If-None-Match': etag };
    return await ask(session.progressUrl, { credentials: 'omit', headers });
  };
  return async () => {
    const known = session;
    const answer = await attempt().catch((error) => {
      // A token ends after minutes. A token that is new and refused ends the matter.
      if (known === null || Object(error).status !== 401) throw error;
      session = null;
      return attempt();
    });
    if (!answer.ok) return null;
    const progress = (await answer.json()) as Progress;
    // Throws for an answer that is none, such as a page of a proxy.
    if (progress.steps.length === 0) return null;
    etag = answer.headers.get('ETag') ?? '';
    return progress;
  };
}

/** Asks for an answer of success, or "unchanged". */
async function ask(address: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(address, {
    cache: 'no-store',
    redirect: 'manual',
    signal: AbortSignal.timeout(DEADLINE_MS),
    ...init,
  });
  const { status, ok, headers, type } = answer;
  if (ok || status === 304) return answer;
  // biome-ignore lint/suspicious/noConsole: The browser does not tell the developer of the page.
  if (type === 'opaqueredirect') console.error(`SvcActivate: ${address} answers with a redirect`);
  throw { status, retryMs: 1_000 * Number(headers.get('Retry-After')) || 0 } satisfies Refused;
}
