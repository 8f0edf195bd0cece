import { signal } from './signal.ts';

/** True while the service answers nothing. One bar above the page says so. */
export const isAway = signal(false);
