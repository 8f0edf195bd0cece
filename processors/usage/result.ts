import type { InputOf } from '../../schemas/base/command.ts';
import type { usageCommands } from '../../schemas/usage/commands.ts';
import type { UsageRoot, UsageRows } from '../../schemas/usage/documents.ts';
import type { PlainFoldResult, View } from '../runtime/unconverted.ts';

export type UsageView = View<UsageRoot, UsageRows>;

export type UsageResult = PlainFoldResult<UsageRoot, UsageRows>;

/** The input of one command type. */
export type UsageInput<Type extends keyof typeof usageCommands> = InputOf<typeof usageCommands, Type>;

/** Nobody waits for it, and repeating it changes nothing. */
export const NOTED = {
  outcome: { kind: 'done', result: {} },
  remember: false,
} as const satisfies UsageResult;
