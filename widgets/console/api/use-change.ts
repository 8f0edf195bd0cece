import { type UseMutationOptions, useMutation } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import { randomId } from '../../shared/random-id.ts';

interface ChangeOptions<Input, Answer>
  extends Pick<UseMutationOptions<Answer, Error, Input>, 'onMutate' | 'onSuccess' | 'onError' | 'onSettled'> {
  /** Sends the change. The key is the same through all tries of one input until it was answered, and another one for another input. */
  readonly send: (input: Input, idempotencyKey: string) => Promise<Answer>;
}

/**
 * A hook: a change that a person makes. While an input is under way, the same one is not sent again, from the first moment on: a
 * state of the page comes too late for a second press.
 */
export function useChange<Input = void, Answer = void>({ send, ...options }: ChangeOptions<Input, Answer>) {
  // The mutation itself keeps the function of an earlier rendering for a frame.
  const latest = useRef(send);
  latest.current = send;
  const keys = useRef(new Map<string, string>());
  const underWay = useRef(new Map<string, Promise<Answer>>());
  const change = useMutation<Answer, Error, Input>({
    ...options,
    mutationFn: async (input) => {
      const name = nameOf(input);
      const key = keys.current.get(name) ?? randomId();
      keys.current.set(name, key);
      const answered = await latest.current(input, key);
      keys.current.delete(name);
      return answered;
    },
  });
  const mutateAsync: typeof change.mutateAsync = (...call) => {
    const name = nameOf(call[0]);
    const sent =
      underWay.current.get(name) ?? change.mutateAsync(...call).finally(() => underWay.current.delete(name));
    underWay.current.set(name, sent);
    return sent;
  };
  const mutate: typeof change.mutate = (...call) => {
    mutateAsync(...call).catch(() => undefined);
  };
  return { ...change, mutate, mutateAsync };
}

/** Names an input by its content. */
function nameOf(input: unknown): string {
  return JSON.stringify(input) ?? '';
}
