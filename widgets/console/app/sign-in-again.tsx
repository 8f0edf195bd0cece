import type { Session } from '../api/session.ts';
import { tellOtherTabs } from '../api/session-tabs.ts';
import { CredentialsForm } from '../pages/people/credentials.tsx';
import { Dialog } from '../parts/dialog.tsx';

interface SignInAgainProps {
  /** The session that has ended. */
  readonly session: Session;
  readonly onSignedIn: (session: Session) => void;
}

/** Asks for the password above the page that was open when the session ended. The page keeps everything typed. */
export function SignInAgain({ session: before, onSignedIn }: SignInAgainProps) {
  return (
    <Dialog
      title="Sign in again"
      hint="Your session has ended, or you were removed from the organization. What you typed on this page is kept."
      // Without a session nothing below works, so that Esc must not uncover it.
      keepsOpen
      onClose={() => undefined}
    >
      <CredentialsForm
        email={before.user.email}
        onSignedIn={(session) => {
          tellOtherTabs('began');
          onSignedIn(session);
        }}
      >
        <a class="btn quiet wide" href="/sign-in">
          Sign in as another person
        </a>
      </CredentialsForm>
    </Dialog>
  );
}
