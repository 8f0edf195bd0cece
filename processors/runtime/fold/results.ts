import type { CommandType } from '../../../schemas/base/command.ts';
import type { ErrorCode } from '../../../schemas/base/error-codes.ts';
import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import type { CommandsOf, CommandTopicName, TopicCommand } from '../../../topics/catalogue.ts';
import type { CommandEffect, Effect } from './fold.ts';

/**
 * The result of a command that only succeeds. Its outcome is remembered under its key: a follow-up that arrives again, late,
 * after others that came after it, changes nothing.
 */
export const DONE = { outcome: { kind: 'done', result: {} } } as const;

/** Like {@link DONE}, without a remembered outcome: for commands without a waiter that are harmless to fold again. */
export const DONE_UNREMEMBERED = { ...DONE, remember: false } as const;

interface Refused {
  readonly outcome: { readonly kind: 'refused'; readonly refusal: Refusal };
  readonly effects?: readonly Effect[];
}

/** The result that refuses a command and changes nothing. `effects` give back what was reserved for it. */
export function refused(reason: Refusal, effects?: readonly Effect[]): Refused {
  const outcome = { kind: 'refused', refusal: reason } as const;
  return effects === undefined ? { outcome } : { outcome, effects };
}

/** Refuses a command like {@link refused}, for a reason that is stated in place. */
export function refusedFor<Code extends ErrorCode>(
  code: Code,
  reason: Parameters<typeof refusal<Code>>[1],
): Refused {
  return refused(refusal(code, reason));
}

/** The effect that sends a command to another aggregate. */
export function commandTo<Topic extends CommandTopicName, Type extends CommandType<CommandsOf<Topic>>>(
  command: TopicCommand<Topic, Type>,
): CommandEffect {
  return { kind: 'command', ...(command as TopicCommand<Topic, Type> & { input: JsonObject }) };
}

interface Deferred {
  readonly outcome: { readonly kind: 'deferred' };
  readonly effects: readonly Effect[];
}

/** The result that leaves decision and answer to a command of another aggregate. `effects` come before that command. */
export function deferredTo<Topic extends CommandTopicName, Type extends CommandType<CommandsOf<Topic>>>(
  command: TopicCommand<Topic, Type>,
  effects: readonly Effect[] = [],
): Deferred {
  return { outcome: { kind: 'deferred' }, effects: [...effects, { ...commandTo(command), answers: true }] };
}
