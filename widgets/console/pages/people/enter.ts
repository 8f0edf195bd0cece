import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { type Session, sessionQuery } from '../../api/session.ts';
import { tellOtherTabs } from '../../api/session-tabs.ts';
import { forgetDrafts } from '../../parts/form/draft.ts';
import { forgetAllShown } from '../../parts/form/shown-once.tsx';
import { HOME } from './own-address.ts';

/** Returns what opens the console for a person who has just signed in. Nothing of another person before stays on the page. */
export function useEnter(): (session: Session, to?: string) => void {
  const [, go] = useLocation();
  const queries = useQueryClient();
  return (session, to = HOME) => {
    const before = queries.getQueryData(sessionQuery.queryKey);
    if (before?.user.userId !== session.user.userId) forgetAllShown();
    forgetDrafts(session.user.userId);
    queries.clear();
    queries.setQueryData(sessionQuery.queryKey, session);
    tellOtherTabs('began');
    go(to, { replace: true });
  };
}
