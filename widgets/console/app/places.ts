import type { IconName } from '../parts/icon.tsx';
import { PAGES } from './pages.ts';

/** A part of the console on its top level. */
export interface Place {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** The key that goes there, after `g`. */
  readonly key: string;
}

const ALL: readonly Place[] = [
  { to: '/agent-workspaces', label: 'Workspaces', icon: 'layers', key: 'w' },
  { to: '/keys', label: 'Keys', icon: 'key', key: 'k' },
  { to: '/members', label: 'Members', icon: 'people', key: 'm' },
  { to: '/audit', label: 'Audit', icon: 'lines', key: 'a' },
  { to: '/settings', label: 'Settings', icon: 'gear', key: 's' },
];

/** The top level of the console, in the order of the side column. */
export const PLACES: readonly Place[] = ALL.filter(({ to }) => PAGES.some(({ path }) => path === to));
