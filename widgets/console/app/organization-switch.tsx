import { ROLES } from '../api/members.ts';
import { useMembership, useSession } from '../api/session.ts';
import { Icon } from '../parts/frame/icon.tsx';
import { Menu } from '../parts/frame/menu.tsx';
import { visibleText } from '../parts/table/visible-text.ts';
import { useSwitchOrganization } from './switch-organization.ts';

/** The organization that is shown, and a menu to show another one. */
export function OrganizationSwitch() {
  const { organizations, organizationId: current } = useSession();
  const { name } = useMembership();
  const { show } = useSwitchOrganization();
  const items = organizations.map(({ organizationId, name: label, role }) => ({
    id: organizationId,
    label,
    hint: ROLES[role].word,
    isChosen: organizationId === current,
    onChoose: () => show(organizationId),
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
