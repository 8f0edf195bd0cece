import { answer, api } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { askBeforeLoss } from '../parts/form/shown-once.tsx';
import { leaveSession } from '../parts/frame/leave-session.ts';
import { toast } from '../parts/frame/toast.tsx';

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
