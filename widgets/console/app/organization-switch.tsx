import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { answer, api } from '../api/client.ts';
import { ROLES } from '../api/members.ts';
import { sessionQuery, useMembership, useSession } from '../api/session.ts';
import { tellOtherTabs } from '../api/session-tabs.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { toast } from '../parts/toast.tsx';
import { visibleText } from '../parts/visible-text.ts';

/** The organization that is shown, and a menu to show another one. Other tabs follow: a session acts for one at a time. */
export function OrganizationSwitch() {
  const { organizations, organizationId: current } = useSession();
  const { name } = useMembership();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const change = useMutation({
    mutationFn: (organizationId: string) =>
      answer(api.POST('/v1/console/session', { body: { organizationId } })),
    onSuccess: (session) => {
      tellOtherTabs('began');
      go('/agent-workspaces');
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
      queries.setQueryData(sessionQuery.queryKey, session);
    },
    onError: () => {
      toast(`${name} is still shown: the organization could not be changed.`);
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  const items = organizations.map(({ organizationId, name: label, role }) => ({
    id: organizationId,
    label,
    hint: ROLES[role].word,
    isChosen: organizationId === current,
    onChoose: () => {
      if (organizationId !== current) change.mutate(organizationId);
    },
  }));
  return (
    <Menu label="Organizations" class="org" items={items} hasWords>
      <Mark name={name} />
      <span>{visibleText(name)}</span>
      <Icon name="upDown" />
    </Menu>
  );
}

/** The first letters of the organization's name. */
function Mark({ name }: { readonly name: string }) {
  const letters = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase();
  return (
    <span class="mark" aria-hidden="true">
      {letters}
    </span>
  );
}
