import type { z } from 'zod';
import type { usageCommands } from '../../schemas/usage/commands.ts';
import type { UsageRoot, UsageRows } from '../../schemas/usage/documents.ts';
import type { FoldResult, View } from '../runtime/fold.ts';

export type UsageView = View<UsageRoot, UsageRows>;

export type UsageResult = FoldResult<UsageRoot, UsageRows>;

/** The input of one command type. */
export type UsageInput<Type extends keyof typeof usageCommands> = z.infer<(typeof usageCommands)[Type]>;

/** Nobody waits for it, and repeating it changes nothing. */
export const NOTED = {
  outcome: { kind: 'done', result: {} },
  remember: false,
} as const satisfies UsageResult;
