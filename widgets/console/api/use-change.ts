import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { holdPage } from '../parts/form/unsaved.ts';
import { hasStatus } from './client.ts';
import { inDoubt, isInDoubt, isLost, leavesOpen } from './lost-answer.ts';
import { nameOf, type Sent, Unanswered } from './unanswered.ts';

interface ChangeOptions<Input, Answer>
  extends Pick<UseMutationOptions<Answer, Error, Input>, 'onMutate' | 'onSuccess' | 'onError' | 'onSettled'> {
  /**
   * Sends the change. The input has everything in which two requests differ, so that a repeat is the request that failed. The key
   * is the same through all tries of one input until it was answered, and another one for another input.
   */
  readonly send: (input: Input, idempotencyKey: string) => Promise<Answer>;
  /**
   * The name of a change whose request carries the key. This tab keeps the input and its key until they were answered: a lost
   * answer is asked for once more, after a reload too.
   */
  readonly keyed?: string;
  /**
   * The way in which a change without a key finds out after a lost answer whether it took effect.
   *
   * - `repeat`: a repeat changes nothing, and is sent once more.
   * - `gone`: so is that of a deletion, whose refusal with 404 or 410 says that it took effect. Its answer is not used.
   * - a function reads it. Null: the change did not take effect, or not yet.
   */
  readonly afterLoss?: 'repeat' | 'gone' | ((input: Input) => Promise<{ readonly answer: Answer } | null>);
  /** The secret that the answer brings, in words: until it has arrived, the page is not left without a question. */
  readonly brings?: (input: Input) => string;
}

/** The keys of the requests that this page waits for. */
const underWayKeys = new Set<string>();

/**
 * A hook: a change that a person makes. While an input is under way, the same one is not sent again, from the first moment on: a
 * state of the page comes too late for a second press. After a lost answer, the change finds out what it did.
 */
export function useChange<Input = void, Answer = void>(wanted: ChangeOptions<Input, Answer>) {
  const { onMutate, onSuccess, onError, onSettled } = wanted;
  const queries = useQueryClient();
  // The mutation itself keeps the function of an earlier rendering for a frame.
  const latest = useRef(wanted);
  latest.current = wanted;
  const [unanswered] = useState(() => new Unanswered<Input>(queries, wanted.keyed));
  const [isFindingOut, setFindingOut] = useState(false);
  const underWay = useRef(new Map<string, Promise<Answer>>());
  const change = useMutation<Answer, Error, Input>({
    ...(onMutate && { onMutate }),
    ...(onSuccess && { onSuccess }),
    ...(onError && { onError }),
    ...(onSettled && { onSettled }),
    mutationFn: async (input) => {
      const sent = unanswered.send(input);
      const release = latest.current.brings && holdPage(latest.current.brings(input));
      const onLost = () => {
        unanswered.lose(input);
        setFindingOut(true);
      };
      underWayKeys.add(sent.key);
      try {
        const answered = await settle(latest.current, sent, onLost);
        unanswered.end(input);
        return answered;
      } catch (error) {
        // The lists behind the form show what happened.
        if (isInDoubt(error)) void queries.invalidateQueries();
        else unanswered.end(input);
        throw error;
      } finally {
        underWayKeys.delete(sent.key);
        release?.();
        setFindingOut(false);
      }
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
  useEffect(() => {
    const before = unanswered.first();
    if (before === null || underWayKeys.has(before.key)) return;
    setFindingOut(true);
    mutate(before.input);
  }, []);
  const forget = () => {
    unanswered.clear();
    change.reset();
  };
  const repeat = () => mutate(change.variables as Input);
  return { ...change, mutate, mutateAsync, isFindingOut, repeat, forget };
}

/** The statuses with which the repeat of a deletion is refused. */
const GONE: readonly number[] = [404, 410];

/**
 * Sends a change. After a lost answer, it asks once more, or reads what is there now.
 *
 * @throws {Problem} for a refusal, and for a change of which it is not known whether it took effect.
 */
async function settle<Input, Answer>(
  { send, keyed, afterLoss }: ChangeOptions<Input, Answer>,
  { input, key, isLost: wasLost }: Sent<Input>,
  onLost: () => void,
): Promise<Answer> {
  const repeat = async (): Promise<Answer> => {
    try {
      return await send(input, key);
    } catch (error) {
      if (afterLoss === 'gone' && GONE.some((status) => hasStatus(error, status))) return undefined as Answer;
      // Without a key, a refusal can mean that the first request took effect.
      throw keyed === undefined || leavesOpen(error) ? inDoubt(error) : error;
    }
  };
  try {
    return await (wasLost ? repeat() : send(input, key));
  } catch (error) {
    if (!isLost(error)) throw error;
    onLost();
    if (typeof afterLoss !== 'function') {
      if (keyed === undefined && afterLoss === undefined) throw inDoubt(error);
      return await repeat();
    }
    const found = await afterLoss(input).catch(() => null);
    if (found === null) throw inDoubt(error);
    return found.answer;
  }
}
