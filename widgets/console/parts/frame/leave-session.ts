import { keepClaim } from '../../api/claim-code.ts';
import { tellOtherTabs } from '../../api/session-tabs.ts';
import { forgetDrafts } from '../form/draft.ts';

/** Leaves the pages of a session that has just ended, in every tab of this browser. Nothing typed stays. */
export function leaveSession(): void {
  forgetDrafts();
  keepClaim(null);
  tellOtherTabs('ended');
  location.assign('/sign-in');
}
