import { CHECK_FAST_MS } from '../../../../schemas/operations/objectives.ts';
import { count } from '../../parts/table/numbers.ts';
import { rate, share, shortAge } from './ages.ts';
import type { Summary, Topic } from './queries.ts';

/** The four numbers that say how the service does. Each leads to what it is made of. */
export function Tally({ summary }: { readonly summary: Summary }) {
  const { topics, objectives, requests } = summary;
  const { fastChecksOfHour: fast, fastChecksGoal: goal, errorBudgetOfDay: budget } = objectives;
  const oldest = oldestOf(topics);
  const nothing = isRead(topics) ? (['none', 'waits'] as const) : (['–', 'not known'] as const);
  return (
    <section class="panel tally four" aria-label="Now">
      <dl>
        <div>
          <dt>Accepted commands</dt>
          <dd>
            <a href="#topics">{commandRate(topics)}</a> <small>per second</small>
          </dd>
        </div>
        <div>
          <dt>Checks within {CHECK_FAST_MS} ms</dt>
          <dd class={fast !== null && fast < goal ? 'warn' : undefined}>
            <a href="#requests">{fast === null ? '–' : share(fast)}</a>{' '}
            <small>{fast === null ? 'nothing counted in 1 h' : `of 1 h, goal ${share(goal)}`}</small>
          </dd>
        </div>
        <div>
          <dt>Oldest unread record</dt>
          <dd>
            <a href="#topics">{oldest === null ? nothing[0] : shortAge(ageOf(oldest))}</a>{' '}
            <small>{oldest === null ? nothing[1] : `in ${oldest.topic}`}</small>
          </dd>
        </div>
        <div>
          <dt>Error budget, 24 h</dt>
          <dd class={budget !== null && budget < 0 ? 'warn' : undefined}>
            <a href="#requests">{budget === null ? '–' : share(Math.max(0, budget))}</a>{' '}
            <small>
              {budget === null
                ? 'nothing counted in 24 h'
                : `left, ${count(requests.checks.errors + requests.others.errors)} errors this minute`}
            </small>
          </dd>
        </div>
      </dl>
    </section>
  );
}

/** The commands that folds take in a second; `–` before two readings. */
function commandRate(topics: readonly Topic[]): string {
  const known = topics.flatMap(({ group, inPerSecond, isCurrent }) =>
    group.startsWith('fold-') && inPerSecond !== null && isCurrent ? [inPerSecond] : [],
  );
  return rate(known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0));
}

/** True if processes read the topics now: a record that no process has been given waits unseen. */
function isRead(topics: readonly Topic[]): boolean {
  return topics.length > 0 && topics.every(({ isCurrent }) => isCurrent);
}

/** Null if no record waits, or if that is not known. */
function oldestOf(topics: readonly Topic[]): Topic | null {
  if (!isRead(topics)) return null;
  const waiting = topics.filter(({ oldestAt, isBehindOnPurpose }) => oldestAt !== null && !isBehindOnPurpose);
  return waiting.sort((left, right) => ageOf(right) - ageOf(left))[0] ?? null;
}

/** The age of the oldest record when the topic was read. */
export function ageOf({ oldestAt, readAt }: Pick<Topic, 'oldestAt' | 'readAt'>): number {
  return oldestAt === null ? 0 : Date.parse(readAt) - Date.parse(oldestAt);
}
