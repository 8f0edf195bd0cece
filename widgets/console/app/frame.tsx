import { useInfiniteQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { personName } from '../api/person-name.ts';
import { mayDecide, useMembership, useSession } from '../api/session.ts';
import { useAttention } from '../pages/operations/attention.ts';
import { isWaiting } from '../pages/workspaces/next-action.ts';
import { workspacesQuery } from '../pages/workspaces/queries.ts';
import { ShownOnceHost } from '../parts/form/shown-once.tsx';
import { useOpened } from '../parts/form/use-asked.ts';
import { Announcements } from '../parts/frame/announce.tsx';
import { Icon } from '../parts/frame/icon.tsx';
import { PageLink } from '../parts/frame/page-link.tsx';
import { useShortcutKeys, useShortcuts } from '../parts/frame/shortcuts.ts';
import { ThemeButton } from '../parts/frame/theme-button.tsx';
import { Toasts } from '../parts/frame/toast.tsx';
import { count } from '../parts/table/numbers.ts';
import { OrganizationSwitch } from './organization-switch.tsx';
import { PaletteButton, PaletteHost, PaletteIconButton } from './palette.tsx';
import { PersonMenu } from './person-menu.tsx';
import { RoleLoss } from './role-loss.tsx';
import { useScrolledPlaces } from './scrolled-places.ts';
import { ServiceAway } from './service-away.tsx';
import { ShortcutHelp } from './shortcut-help.tsx';
import { useSignOut } from './sign-out.ts';
import { usePlaces } from './top-level-pages.ts';

/** A hook: after a change of page the focus is on its title, unless the page has put it somewhere. */
function useTitleFocus(): void {
  const [address] = useLocation();
  const shown = useRef(address);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    const main = document.getElementById('main');
    const isTaken = main?.contains(document.activeElement) === true || document.querySelector('dialog[open]');
    if (!isTaken) main?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, [address]);
}

/** The side column (a bar when narrow) and the page beside it. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const [, go] = useLocation();
  const [isHelping, setHelping] = useOpened<true>();
  const places = usePlaces();
  useShortcuts([
    ...places.map(({ to, label, key }) => ({
      keys: `g ${key}`,
      about: `Go to ${label}`,
      run: () => go(to),
    })),
    { keys: '?', about: 'Show the shortcuts', run: () => setHelping(true) },
  ]);
  useShortcutKeys();
  useTitleFocus();
  useScrolledPlaces();
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="app">
        <header class="side">
          <div class="side-in">
            <OrganizationSwitch />
            <PaletteButton />
            <Places label="Main" />
            <div class="side-foot">
              <PersonMenu />
              <ThemeButton />
              <button
                type="button"
                class="btn quiet square"
                aria-label="Shortcuts"
                onClick={() => setHelping(true)}
              >
                <Icon name="question" />
              </button>
            </div>
          </div>
        </header>
        <TopBar />
        <main class="main" id="main" tabIndex={-1}>
          <div class="page">
            <ServiceAway />
            <RoleLoss />
            <ShownOnceHost />
            {children}
          </div>
        </main>
      </div>
      <PaletteHost />
      {isHelping && <ShortcutHelp onClose={() => setHelping(null)} />}
      <Announcements />
      <Toasts />
    </>
  );
}

interface PlacesProps {
  readonly label: string;
  /** True for the open menu, whose entry of the history the page takes. */
  readonly isMenu?: boolean;
  readonly onGo?: () => void;
}

function Places({ label, isMenu = false, onGo }: PlacesProps) {
  const [address] = useLocation();
  const places = usePlaces();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on a link, by keyboard too, closes the menu.
    <nav class="nav" aria-label={label} onClick={onGo}>
      {places.map(({ to, label: name, icon }) => (
        <PageLink
          key={to}
          to={to}
          replace={isMenu}
          isCurrent={address === to || address.startsWith(`${to}/`)}
        >
          <Icon name={icon} />
          <span>{name}</span>
          {to === '/agent-workspaces' && <WaitingCount />}
          {to === '/ops' && <AttentionCount />}
        </PageLink>
      ))}
    </nav>
  );
}

/** Between two readings of the number beside Workspaces. */
const WAITING_MS = 60_000;

/** The number of workspaces that wait for this person. */
function WaitingCount() {
  const { role } = useMembership();
  const enabled = mayDecide(role);
  const { data } = useInfiniteQuery({
    ...workspacesQuery,
    enabled,
    staleTime: WAITING_MS,
    refetchInterval: WAITING_MS,
  });
  const waiting = data?.pages.flatMap(({ workspaces }) => workspaces).filter(isWaiting).length ?? 0;
  return <Count value={enabled ? waiting : 0} words="wait for you" />;
}

/** The number of things that wait for an operator. */
function AttentionCount() {
  return <Count value={useAttention()} words="to look at" />;
}

function Count({ value, words }: { readonly value: number; readonly words: string }) {
  if (value === 0) return null;
  return (
    <span class="count">
      {count(value)}
      <span class="vh"> {words}</span>
    </span>
  );
}

/** The frame of a narrow page. */
function TopBar() {
  const { user } = useSession();
  const [address] = useLocation();
  const [openAt, show] = useOpened<string>();
  const isOpen = openAt === address;
  const signOut = useSignOut();
  return (
    <header class="top">
      <div class="top-bar">
        <OrganizationSwitch />
        <PaletteIconButton />
        <ThemeButton />
        <button
          type="button"
          class="btn quiet square"
          aria-label="Menu"
          aria-expanded={isOpen}
          aria-controls="top-menu"
          onClick={() => show(isOpen ? null : address)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
      </div>
      {isOpen && (
        <div class="top-menu" id="top-menu">
          <Places label="Menu" isMenu onGo={() => show(null)} />
          <div class="side-foot">
            <span title={personName(user)}>{personName(user)}</span>
            <button type="button" class="btn quiet" onClick={signOut}>
              Sign out
            </button>
          </div>
        </div>
      )}
    </header>
  );
}
