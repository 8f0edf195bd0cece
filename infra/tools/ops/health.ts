import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { readSettings } from '../../service/settings/settings.ts';
import { type Given, textOption, UsageError, type VerbResult } from './verb.ts';

/** Longest wait for the answer of a probe. */
const PROBE_MS_MAX = 5 * SECOND_MS;

interface Probe {
  readonly ok: boolean;
  /** The reason of a refusal, or why there is no answer; null if there is nothing to say. */
  readonly reason: string | null;
}

/** Asks the probes of a running process. */
export async function health(given: Given): Promise<VerbResult> {
  const url = urlIn(given);
  const [live, ready] = await Promise.all([probe(`${url}/livez`), probe(`${url}/readyz`)]);
  const lines = [
    `${url} ${live.ok ? 'runs' : `does not answer: ${live.reason}`}`,
    ...(live.ok ? [ready.ok ? 'It is ready.' : `It is not ready: ${ready.reason}`] : []),
  ];
  const data = { url, live: live.ok, ready: ready.ok, reason: live.reason ?? ready.reason };
  return { data, lines, failed: !ready.ok };
}

async function probe(url: string): Promise<Probe> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS_MAX) });
    if (answer.ok) return { ok: true, reason: null };
    return { ok: false, reason: messageIn(await answer.json()) ?? `status ${answer.status}` };
  } catch (error) {
    return { ok: false, reason: unansweredReason(error) };
  }
}

/** Returns why a request got no answer: the cause that `fetch` hides behind its error. */
export function unansweredReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

const refusedSchema = z.object({ error: z.object({ message: z.string() }) });

function messageIn(body: unknown): string | null {
  const parsed = refusedSchema.safeParse(body);
  return parsed.success ? parsed.data.error.message : null;
}

/**
 * Returns the address of the process that the command line names, by default one on this machine.
 *
 * @throws {UsageError} if it is none
 */
export function urlIn(given: Given): string {
  const url = textOption(given, 'url') ?? ownAddress(given);
  if (URL.canParse(url)) return url;
  throw new UsageError(`url: seen "${url}"; expected one such as http://127.0.0.1:8787`);
}

/** The address at which a process with these settings listens on this machine. */
function ownAddress({ environment }: Given): string {
  const { host, port } = readSettings(environment);
  const local = ({ '0.0.0.0': '127.0.0.1', '::': '::1' } as Record<string, string>)[host] ?? host;
  return `http://${isIPv6(local) ? `[${local}]` : local}:${port}`;
}
