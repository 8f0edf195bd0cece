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
  message: 'No runner took the run in time. Request another one later.',
};

const NO_RESULT: Failure = {
  reason: 'internal',
  message: 'The runner ended before the run did. Request another one.',
};

/** The run at a time: one whose deadline has passed has ended, whether a runner still knows of it or not. */
export function effectiveRun(run: RunDocument, now: number): RunDocument {
  const isOpen = run.status === 'queued' || run.status === 'running';
  if (!isOpen || now < run.deadlineAt) return run;
  return lostRun(run, run.status === 'queued' ? NO_RUNNER : NO_RESULT, run.deadlineAt);
}

/** A run whose runner has ended. */
export function abandonedRun(run: RunDocument, now: number): RunDocument {
  return lostRun(run, NO_RESULT, now);
}

function lostRun(run: RunDocument, failure: Failure, endedAt: number): RunDocument {
  return { ...run, status: 'errored', verified: false, endedAt, findings: nothingFound(failure) };
}
