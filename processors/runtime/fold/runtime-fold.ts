import type { CommandTable } from '../../../schemas/base/command.ts';
import { answerAgain } from '../effects/answer-again.ts';
import { deliveryConfirmation } from '../effects/delivery.ts';
import { forgetting } from '../sweeps/forgetting.ts';
import type { AnyFold } from './fold.ts';

/** The commands that the runtime adds to those of every topic that is folded. */
export const RUNTIME_COMMANDS: CommandTable = {
  ...answerAgain.commands,
  ...forgetting.commands,
  ...deliveryConfirmation.commands,
};

/** A product's fold as processors run it: with the commands of the runtime. */
export function runtimeFold(fold: AnyFold): AnyFold {
  return {
    ...fold,
    commands: { ...fold.commands, ...RUNTIME_COMMANDS },
    handlers: {
      ...fold.handlers,
      ...answerAgain.handlers,
      ...forgetting.handlers,
      ...deliveryConfirmation.handlers,
    },
  };
}
