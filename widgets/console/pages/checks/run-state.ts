import type { Schemas } from '../../api/interface.ts';
import type { Segment } from '../../parts/frame/segment-line.tsx';
import { ahead, done, now } from '../../parts/frame/segment-line.tsx';
import type { Tone } from '../../parts/table/state.tsx';
import type { Run, RunStatus } from './queries.ts';
import { isOpen } from './run-pace.ts';

interface ShownState {
  readonly word: string;
  readonly tone: Tone;
  /** Cause and cure, for the tooltip. */
  readonly about: string;
}

/** The word, shape and tooltip of each status of a run. */
const RUN_STATES: Readonly<Record<RunStatus, ShownState>> = {
  queued: { word: 'Queued', tone: 'info', about: 'The next free runner starts this run.' },
  running: { word: 'Running', tone: 'info', about: 'The flows are running.' },
  passed: { word: 'Passed', tone: 'ok', about: 'Every step passed.' },
  failed: { word: 'Failed', tone: 'bad', about: 'A step failed. Open the run to see which.' },
  errored: { word: 'Errored', tone: 'warn', about: 'The run could not finish. Open the run to see why.' },
  timed_out: {
    word: 'Timed out',
    tone: 'bad',
    about: 'A page did not answer within the time limit of the flow.',
  },
};

const UNVERIFIED: ShownState = {
  word: 'Passed, not verified',
  tone: 'warn',
  about:
    'Every step passed, but the result doesn’t count: the origin was no longer verified, or the last page was on another origin.',
};

/** The state of a run as people see it: only a verified run counts as one that passed. */
export function shownState({ status, verified }: Pick<Run, 'status' | 'verified'>): ShownState {
  return status === 'passed' && !verified ? UNVERIFIED : RUN_STATES[status];
}

interface Reason {
  readonly title: string;
  readonly cure: string;
}

/** Each reason for which a run does not pass, and what to do about it. */
export const REASONS: Readonly<Record<Schemas['CheckFailureReason'], Reason>> = {
  http_status: {
    title: 'The page answered with another status',
    cure: 'Look at the page’s status in a browser, or expect this one in the suite.',
  },
  heading_missing: {
    title: 'The heading is missing',
    cure: 'The heading has to be visible within 5 seconds, with exactly this text.',
  },
  assertion: {
    title: 'The page is not as expected',
    cure: 'Compare title and text with the page. A download is no page.',
  },
  script_error: {
    title: 'A script of the page failed',
    cure: 'Look at the console of the page first.',
  },
  navigation_timeout: {
    title: 'The page was too slow',
    cure: 'Make the page faster, or give the flow more time in a new suite.',
  },
  dns: { title: 'The host name has no address', cure: 'Check the DNS records of the host.' },
  tls: { title: 'The connection is not secure', cure: 'Change the server, then run the suite again.' },
  connect: {
    title: 'The server did not answer',
    cure: 'Check that the server runs and accepts requests from the internet.',
  },
  blocked_egress: {
    title: 'The page leads where a run may not go',
    cure: 'Publish what the page needs on the internet, and stay on the origin.',
  },
  crash: {
    title: 'The page crashed the browser',
    cure: 'Look for memory that grows, and for endless recursion.',
  },
  ownership_lost: {
    title: 'The proof of the origin is gone',
    cure: 'Publish the challenge again. Every run looks for it first.',
  },
  quota: {
    title: 'The page loads too much',
    cure: 'Load less: a run has limits of bytes, connections and requests.',
  },
  internal: {
    title: 'The service did not finish the run',
    cure: 'Request another run. If that one ends in the same way, tell the operator the id of the run.',
  },
};

/** The time that a run took in the browser; null before its end, and for one that no runner took. */
export function runMs({ startedAt, endedAt }: Pick<Run, 'startedAt' | 'endedAt'>): number | null {
  if (startedAt === null || endedAt === null) return null;
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}

/** `412 ms`, `4.2 s`, `20 s`. */
export function milliseconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1).replace('.0', '')} s`;
}

/** The way of a run: its states, each with its time. */
export function runSegments(run: Run): Segment[] {
  const { status, requestedAt, startedAt, endedAt } = run;
  const queued = done('Queued', requestedAt);
  if (status === 'queued') {
    return [
      now('Queued', 'info', 'Waits for a runner'),
      ahead('Running', 'The flows are running'),
      ahead('Ended', 'Passed or not'),
    ];
  }
  if (isOpen(run)) return [queued, now('Running', 'info', 'Runs the flows'), ahead('Ended', 'Passed or not')];
  const { word, tone } = shownState(run);
  const took = runMs(run);
  const end = { ...now(word, tone, took === null ? '' : `after ${milliseconds(took)}`), at: endedAt };
  return startedAt === null ? [queued, end] : [queued, done('Ran', startedAt), end];
}
