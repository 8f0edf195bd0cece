import { useQuery } from '@tanstack/preact-query';
import { hasPassword } from '../../api/has-password.ts';
import { personName } from '../../api/person-name.ts';
import { useSession } from '../../api/session.ts';
import { PageHead } from '../../parts/frame/page-head.tsx';
import { PanelSkeleton } from '../../parts/loading/skeleton.tsx';
import { Fact, Facts } from '../../parts/table/facts.tsx';
import { Identifier } from '../../parts/table/identifier.tsx';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import { EmailForm } from './email-form.tsx';
import { EraseMyself } from './erase-myself.tsx';
import { Organizations } from './organizations.tsx';
import { PasswordForm } from './password-form.tsx';
import { Sessions, sessionsQuery } from './sessions.tsx';
import { SingleSignOn } from './single-sign-on.tsx';

/** `/settings`: what a person decides about the own account. */
export function SettingsPage() {
  const { user, expiresAt } = useSession();
  const sessions = useQuery(sessionsQuery);
  return (
    <>
      <PageHead title="Settings" meta={<span>Your account in all organizations</span>} />
      <div class="overview">
        <aside aria-label="Account">
          <section aria-labelledby="account">
            <div class="section-head">
              <h2 id="account">Account</h2>
            </div>
            <Facts>
              {user.email === '' ? (
                <Fact name="Single sign-on">{personName(user)}</Fact>
              ) : (
                <Fact name="E-mail">{personName(user)}</Fact>
              )}
              <Fact name="User">
                <Identifier value={user.userId} name="user id" />
              </Fact>
              <Fact name="Session ends">
                <AbsoluteTime at={expiresAt} />
              </Fact>
            </Facts>
          </section>
        </aside>
        <div class="stack">
          {/* The table of sessions is the first section: the others would move if they were there before its rows. */}
          {sessions.isPending ? (
            <PanelSkeleton />
          ) : (
            <>
              <Sessions list={sessions} />
              {hasPassword(user) ? (
                <>
                  <PasswordForm />
                  <EmailForm />
                </>
              ) : (
                <SingleSignOn />
              )}
              <Organizations />
              <EraseMyself />
            </>
          )}
        </div>
      </div>
    </>
  );
}
