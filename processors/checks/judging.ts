import { originState } from '../../schemas/checks/derived-states.ts';
import type { OriginDocument } from '../../schemas/checks/documents.ts';
import type { Failure, RunFindings } from '../../schemas/checks/results.ts';

/** The failure of a run whose origin is not proved when a runner takes it, or when it ends. */
export const PROOF_ENDED: Failure = {
  reason: 'ownership_lost',
  message: 'The proof of the origin has ended. Confirm the origin again, and request another run.',
};

const ELSEWHERE: Failure = {
  reason: 'blocked_egress',
  message: 'The run ended on a page that is not on the origin. A run stays on the origin that was proved.',
};

/** Returns the findings of a run, with a failure if they pass without a fresh proof, or on a page that is not on the origin. */
export function judgeFindings(
  findings: RunFindings,
  origin: OriginDocument | null,
  now: number,
): RunFindings {
  if (findings.failure !== null) return findings;
  if (!isProved(origin, now)) return { ...findings, failure: PROOF_ENDED };
  return originOfPage(findings.finalUrl) === origin.origin ? findings : { ...findings, failure: ELSEWHERE };
}

/** True if an origin exists and has a proof that has not ended. */
export function isProved(origin: OriginDocument | null, now: number): origin is OriginDocument {
  return origin !== null && originState(origin, now) === 'verified';
}

/** The origin of a page, or null for what is no page of the web: `blob:` has an origin, too. */
function originOfPage(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}
