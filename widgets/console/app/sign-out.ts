import { answer, api } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { leaveSession } from '../parts/leave-session.ts';
import { askBeforeLoss } from '../parts/shown-once.tsx';
import { toast } from '../parts/toast.tsx';

/** Returns what ends the session, in every tab of this browser. */
export function useSignOut(): () => void {
  const signOut = useChange({
    send: () => answer(api.POST('/v1/console/sign-out', { body: {} })),
    onSuccess: leaveSession,
    onError: () => toast('You are still signed in: the service did not answer. Sign out again.'),
  });
  return () => {
    if (!signOut.isPending) askBeforeLoss(() => signOut.mutate());
  };
}
