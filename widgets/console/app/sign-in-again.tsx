import { hasPassword } from '../api/has-password.ts';
import type { Session } from '../api/session.ts';
import { tellOtherTabs } from '../api/session-tabs.ts';
import { CredentialsForm } from '../pages/people/credentials.tsx';
import { SIGNED_IN } from '../pages/people/own-address.ts';
import { SingleSignOnLink } from '../pages/people/single-sign-on-link.tsx';
import { Dialog } from '../parts/form/dialog.tsx';

interface SignInAgainProps {
  /** The session that has ended. */
  readonly session: Session;
  readonly onSignedIn: (session: Session) => void;
}

/**
 * Asks to sign in again, above the page that was open when the session ended. The page keeps everything typed. Single sign-on
 * opens in another tab, which tells this one.
 */
export function SignInAgain({ session: before, onSignedIn }: SignInAgainProps) {
  return (
    <Dialog
      title="Sign in again"
      hint="Your session has ended, or you were removed from the organization. What you typed on this page is kept."
      // Without a session nothing below works, so that Esc must not uncover it.
      keepsOpen
      onClose={() => undefined}
    >
      {hasPassword(before.user) ? (
        <CredentialsForm
          email={before.user.email}
          onSignedIn={(session) => {
            tellOtherTabs('began');
            onSignedIn(session);
          }}
        >
          <AnotherPerson />
        </CredentialsForm>
      ) : (
        <div class="form">
          <SingleSignOnLink returnTo={SIGNED_IN} isPrimary inNewTab />
          <p class="hint">It opens in another tab. This page continues as soon as you are signed in there.</p>
          <AnotherPerson />
        </div>
      )}
    </Dialog>
  );
}

function AnotherPerson() {
  return (
    <a class="btn quiet wide" href="/sign-in?account=other">
      Sign in as another person
    </a>
  );
}
