import { answerAgain } from './answer-again.ts';
import { deliveryConfirmation } from './delivery.ts';
import type { AnyFold } from './fold.ts';
import { forgetting } from './forgetting.ts';

/** A product's fold as processors run it: with the commands of the runtime. */
export function runtimeFold(fold: AnyFold): AnyFold {
  return {
    ...fold,
    commands: {
      ...fold.commands,
      ...answerAgain.commands,
      ...forgetting.commands,
      ...deliveryConfirmation.commands,
    },
    handlers: {
      ...fold.handlers,
      ...answerAgain.handlers,
      ...forgetting.handlers,
      ...deliveryConfirmation.handlers,
    },
  };
}
