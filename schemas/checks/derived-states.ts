import type { OriginDocument, RunDocument } from './documents.ts';
import { type Failure, nothingFound } from './results.ts';

/** The text that proves an origin, as its owner publishes it. */
export function challengeContent(originId: string, { token }: Pick<OriginDocument, 'token'>): string {
  return `svccheck=${originId}.${token}`;
}

/** The address at which the text has to be published. */
export function challengeUrl(originId: string, { origin }: Pick<OriginDocument, 'origin'>): string {
  return `${origin}/.well-known/svccheck/${originId}.txt`;
}

/** `verified` from a confirmation until the proof has to be renewed. */
export function originState({ verifiedAt, endsAt }: OriginDocument, now: number): 'pending' | 'verified' {
  return verifiedAt !== null && now < endsAt ? 'verified' : 'pending';
}

const NO_RUNNER: Failure = {
  reason: 'internal',
  message: 'No runner took the run in time, so it is not charged. Request another one later.',
};

/** The failure of a run whose runner ended, or was told to. */
export const NO_RESULT: Failure = {
  reason: 'internal',
  message: 'The runner ended before the run did, so it is not charged. Request another one.',
};

/** True for a run that has no end in the store. */
export function isOpen({ status }: Pick<RunDocument, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** True for a run without an end whose deadline has passed. Only the fold ends it, by the time of the log (`end-run`). */
export function isOverdue(run: Pick<RunDocument, 'status' | 'deadlineAt'>, now: number): boolean {
  return isOpen(run) && now >= run.deadlineAt;
}

/** Returns the end of a run that gets no result, at its deadline or before. */
export function lostRun(run: RunDocument, now: number): RunDocument {
  const endedAt = Math.min(now, run.deadlineAt);
  const failure = run.driver === null ? NO_RUNNER : NO_RESULT;
  return { ...run, status: 'errored', verified: false, endedAt, findings: nothingFound(failure) };
}
