import { useQueryClient } from '@tanstack/preact-query';
import { type Session, sessionQuery } from '../api/session.ts';
import { tellOtherTabs } from '../api/session-tabs.ts';
import { CredentialsForm } from '../pages/people/credentials.tsx';
import { Dialog } from '../parts/dialog.tsx';

interface SignInAgainProps {
  /** The session that has ended. */
  readonly session: Session;
  readonly onSignedIn: () => void;
}

/** Asks for the password above the page that was open when the session ended. The page keeps everything typed. */
export function SignInAgain({ session: before, onSignedIn }: SignInAgainProps) {
  const queries = useQueryClient();
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
          if (session.organizationId !== before.organizationId) {
            // The page is about an organization that the person left.
            location.assign('/');
            return;
          }
          queries.setQueryData(sessionQuery.queryKey, session);
          onSignedIn();
          void queries.invalidateQueries();
        }}
      >
        <a class="btn quiet wide" href="/sign-in">
          Sign in as another person
        </a>
      </CredentialsForm>
    </Dialog>
  );
}
