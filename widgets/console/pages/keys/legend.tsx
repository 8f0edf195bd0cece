import type { Schemas } from '../../api/interface.ts';
import { count } from '../../parts/table/numbers.ts';

type Calls = Pick<Schemas['KeyUsagePoint'], 'allowed' | 'denied' | 'refused'>;

const KINDS = [
  ['allowed', 'f1', 'allowed'],
  ['denied', 'tone-fill-warn', 'denied by a limit'],
  ['refused', 'tone-fill-bad', 'refused with 429'],
] as const;

/** The kinds of calls with the grounds of their bars, and their numbers where they are given. */
export function Legend({ calls }: { readonly calls?: Calls }) {
  return (
    <ul class="legend push">
      {KINDS.map(([kind, fill, word]) => (
        <li key={fill}>
          <svg class={`swatch ${fill}`} viewBox="0 0 14 8" aria-hidden="true">
            <rect width="14" height="8" rx="2" />
          </svg>
          {word}
          {calls !== undefined && <b>{count(calls[kind])}</b>}
        </li>
      ))}
    </ul>
  );
}
