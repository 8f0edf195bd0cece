import { useLocation } from 'wouter-preact';
import { useSession } from '../api/session.ts';
import { Menu } from '../parts/frame/menu.tsx';
import { visibleText } from '../parts/table/visible-text.ts';
import { useSignOut } from './sign-out.ts';

/** The person who is signed in, with Settings and Sign out. */
export function PersonMenu() {
  const { user } = useSession();
  const [, go] = useLocation();
  const signOut = useSignOut();
  const items = [
    { id: 'settings', label: 'Settings', hint: user.email, onChoose: () => go('/settings') },
    { id: 'sign-out', label: 'Sign out', hint: 'In every tab of this browser', onChoose: signOut },
  ];
  return (
    <Menu label="Account" class="person" items={items} hasWords>
      <span>{visibleText(user.email)}</span>
    </Menu>
  );
}
