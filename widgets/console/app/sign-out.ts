import { answer, api } from '../api/client.ts';
import { isInDoubt } from '../api/lost-answer.ts';
import { useChange } from '../api/use-change.ts';
import { askBeforeLossInTabs } from '../parts/form/shown-once.tsx';
import { leaveSession } from '../parts/frame/leave-session.ts';
import { toast } from '../parts/frame/toast.tsx';

/** Returns what ends the session, in every tab of this browser. */
export function useSignOut(): () => void {
  const signOut = useChange({
    send: () => answer(api.POST('/v1/console/sign-out', { body: {} })),
    // Without an answer, the browser still has the cookie. The sign-out of an ended session removes it.
    afterLoss: 'repeat',
    onSuccess: leaveSession,
    onError: (error) =>
      toast(
        isInDoubt(error)
          ? 'It is not known whether you are signed out. Sign out again.'
          : 'You are still signed in. Sign out again.',
      ),
  });
  return () => {
    if (!signOut.isPending) void askBeforeLossInTabs(() => signOut.mutate());
  };
}
