import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { type Session, sessionQuery } from '../../api/session.ts';
import { tellOtherTabs } from '../../api/session-tabs.ts';
import { HOME } from './own-address.ts';

/** Returns what opens the console for a person who has just signed in. Nothing of the person before stays in the cache. */
export function useEnter(): (session: Session, to?: string) => void {
  const [, go] = useLocation();
  const queries = useQueryClient();
  return (session, to = HOME) => {
    queries.clear();
    queries.setQueryData(sessionQuery.queryKey, session);
    tellOtherTabs('began');
    go(to, { replace: true });
  };
}
