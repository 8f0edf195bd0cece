import type { Tone } from '../../parts/table/state.tsx';
import type { Subscription } from './queries.ts';

/** The word and tone of each state of the subscription, and its effect on live keys. */
export const SUBSCRIPTION_STATES: Readonly<
  Record<Subscription['status'], { readonly word: string; readonly tone: Tone; readonly about: string }>
> = {
  none: { word: 'None', tone: 'idle', about: 'Live keys get 402. Test keys need no subscription.' },
  active: { word: 'Active', tone: 'ok', about: 'Live keys work. Calls above the free ones are metered.' },
  canceled: {
    word: 'Cancelled',
    tone: 'warn',
    about: 'Live keys get 402. Start the subscription again to use them.',
  },
  expired: {
    word: 'Expired',
    tone: 'warn',
    about: 'Live keys get 402. Start the subscription again to use them.',
  },
  declined: { word: 'Declined', tone: 'bad', about: 'Live keys get 402: the payment was declined.' },
};

export const PLANS: Readonly<Record<NonNullable<Subscription['plan']>, string>> = {
  free: 'Free tier, no card',
};
