import { useEffect } from 'preact/hooks';
import { tellOtherTabs } from '../../api/session-tabs.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { HOME } from './own-address.ts';
import { Solo } from './solo.tsx';

/** `/signed-in`: single sign-on in this tab is done. The tab that asked for it continues, and this one closes if it may. */
export function SignedInPage() {
  useEffect(() => {
    tellOtherTabs('began');
    close();
  }, []);
  return (
    <Solo title="You are signed in" hint="Close this tab. The page that you came from continues.">
      <PageLink to={HOME} class="btn large wide">
        Open the console here
      </PageLink>
    </Solo>
  );
}
