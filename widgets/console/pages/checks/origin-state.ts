import type { Tone } from '../../parts/table/state.tsx';
import { DAY_MS } from '../../parts/table/time.tsx';
import type { Origin } from './queries.ts';

/** From here on a proof that ends needs a person. */
const RENEW_SOON_MS = 14 * DAY_MS;

interface OriginState {
  readonly word: string;
  readonly tone: Tone;
  readonly about: string;
  /** The next thing to do: `publish` and confirm the challenge, get a `new` challenge, `renew` the proof soon, or nothing. */
  readonly next: 'publish' | 'new' | 'renew' | null;
}

/** The state of an origin at a time of the service. */
export function originState(
  origin: Pick<Origin, 'state' | 'challenge' | 'renewBy'>,
  now: number,
): OriginState {
  const { state, challenge, renewBy } = origin;
  if (renewBy !== null && (state !== 'verified' || now >= Date.parse(renewBy))) {
    return {
      word: 'Proof ended',
      tone: 'warn',
      about: 'Runs are refused until the origin is proved again.',
      next: 'new',
    };
  }
  if (renewBy !== null) {
    const isSoon = Date.parse(renewBy) - now < RENEW_SOON_MS;
    return isSoon
      ? {
          word: 'Renew the proof',
          tone: 'warn',
          about: 'Confirm again before the proof ends.',
          next: 'renew',
        }
      : { word: 'Proved', tone: 'ok', about: 'Runs look for the published text first.', next: null };
  }
  if (now >= Date.parse(challenge.expiresAt)) {
    return { word: 'Challenge ended', tone: 'warn', about: 'The challenge no longer counts.', next: 'new' };
  }
  return {
    word: 'Not proved',
    tone: 'warn',
    about: 'Publish the challenge, then confirm.',
    next: 'publish',
  };
}
