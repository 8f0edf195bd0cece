import { useLocation } from 'wouter-preact';
import { personName } from '../api/person-name.ts';
import { useSession } from '../api/session.ts';
import { Menu } from '../parts/frame/menu.tsx';
import { useSignOut } from './sign-out.ts';

/** The person who is signed in, with Settings and Sign out. */
export function PersonMenu() {
  const { user } = useSession();
  const [, go] = useLocation();
  const signOut = useSignOut();
  const items = [
    { id: 'settings', label: 'Settings', hint: personName(user), onChoose: () => go('/settings') },
    { id: 'sign-out', label: 'Sign out', hint: 'In every tab of this browser', onChoose: signOut },
  ];
  return (
    <Menu label="Account" class="person" items={items} hasWords>
      <span>{personName(user)}</span>
    </Menu>
  );
}
