import { useSession } from '../api/session.ts';
import type { IconName } from '../parts/frame/icon.tsx';
import { pagesFor } from './pages.ts';

/** A part of the console on its top level. */
export interface Place {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** The key that goes there, after `g`. */
  readonly key: string;
  /** Further words that find it. */
  readonly words?: string;
}

const ALL: readonly Place[] = [
  { to: '/agent-workspaces', label: 'Workspaces', icon: 'layers', key: 'w' },
  { to: '/keys', label: 'Keys', icon: 'key', key: 'k' },
  { to: '/members', label: 'Members', icon: 'people', key: 'm' },
  { to: '/audit', label: 'Audit', icon: 'lines', key: 'a' },
  { to: '/settings', label: 'Settings', icon: 'gear', key: 's' },
  {
    to: '/ops',
    label: 'Operations',
    icon: 'pulse',
    key: 'o',
    words: 'dead letters switches topics lag health',
  },
];

/** The top level of the console for the person at this browser, in the order of the side column. */
export function usePlaces(): readonly Place[] {
  const pages = pagesFor(useSession());
  return ALL.filter(({ to }) => pages.some(({ path }) => path === to));
}
