import { useQueryClient } from '@tanstack/preact-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { mayDecide, sessionQuery, useMembership } from '../api/session.ts';
import { Shape } from '../parts/table/state.tsx';
import { visibleText } from '../parts/table/visible-text.ts';

/**
 * Says that the person has become a member while a page was open. Everything that was read with the role before leaves the page
 * and the memory at once, and is read again with the new one. The notice goes with the next page.
 */
export function RoleLoss() {
  const { organizationId, name, role } = useMembership();
  const queries = useQueryClient();
  const [address] = useLocation();
  const before = useRef({ organizationId, decides: mayDecide(role) });
  const [isLost, setLost] = useState(false);
  useLayoutEffect(() => {
    const isSame = before.current.organizationId === organizationId;
    const decides = mayDecide(role);
    const isLoss = isSame && before.current.decides && !decides;
    before.current = { organizationId, decides };
    setLost((was) => isLoss || (was && isSame && !decides));
    if (!isLoss) return;
    void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  }, [queries, organizationId, role]);
  useEffect(() => setLost(false), [address]);
  if (!isLost) return null;
  return (
    <div class="notice warn" role="alert">
      <Shape tone="warn" />
      <div>
        <strong>You are a member of {visibleText(name)} now</strong>
        Your role was changed while this page was open. Private rows and decisions are for owners and admins.
        An owner can give the role back under Members.
      </div>
    </div>
  );
}
