import { Shape, type Tone } from '../table/state.tsx';
import { absoluteTime, bothTimes } from '../table/time.tsx';
import { Icon } from './icon.tsx';

/** One state on the way of something. */
export interface Segment {
  readonly word: string;
  readonly kind: 'done' | 'now' | 'ahead';
  readonly tone: Tone;
  /** When it was reached, or whom it waits for. */
  readonly note: string;
  /** The time of the note, where it is one. */
  readonly at: string | null;
}

/** A state that was reached. `after`: words behind its time. */
export function done(word: string, at: string | null, after = ''): Segment {
  return { word, kind: 'done', tone: 'ok', note: after.replace(/^, /, ''), at };
}

/** The current state. */
export function now(word: string, tone: Tone, note: string): Segment {
  return { word, kind: 'now', tone, note, at: null };
}

/** A state that may be reached. */
export function ahead(word: string, note: string): Segment {
  return { word, kind: 'ahead', tone: 'idle', note, at: null };
}

/** `isLate`: in the second half, where a narrow page aligns the words with its end. */
function classOf(kind: Segment['kind'], tone: Tone, isLate: boolean): string | undefined {
  if (kind === 'ahead') return undefined;
  return kind === 'done' ? 'done' : `now ${tone}${isLate ? ' late' : ''}`;
}

/** Progress through states as a line: one segment a state. */
export function SegmentLine({ segments }: { readonly segments: readonly Segment[] }) {
  return (
    <ol class="line" aria-label="Progress">
      {segments.map(({ word, kind, tone, note, at }, index) => (
        <li
          key={word}
          class={classOf(kind, tone, index >= segments.length / 2)}
          aria-current={kind === 'now' ? 'step' : undefined}
        >
          <b>
            {kind === 'done' && <Icon name="check" size={14} />}
            {kind === 'now' && <Shape tone={tone} />}
            {word}
          </b>
          <span>
            {at !== null && (
              <time dateTime={at} title={bothTimes(at)}>
                {absoluteTime(at)}
              </time>
            )}
            {at !== null && note !== '' ? `, ${note}` : note}
          </span>
        </li>
      ))}
    </ol>
  );
}
