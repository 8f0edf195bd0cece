// Reads: the topic `usage`. Writes: the table `usage`, and commands to the organizations of live keys.
import type { Limits } from '../../schemas/limits.ts';
import { usageCommands } from '../../schemas/usage/commands.ts';
import { usageRootSchema, usageRowSchemas } from '../../schemas/usage/documents.ts';
import { type AnyFold, defineFold } from '../runtime/fold/fold.ts';
import { meterKey } from './meter-key.ts';
import { publishCounts } from './publish-counts.ts';
import type { UsageFold } from './usage-fold.ts';

/** The fold of metered usage: the calls of each API key by minute, hour, day and month. */
export function createUsageFold(limits: Limits): AnyFold {
  return defineFold<UsageFold>({
    topic: 'usage',
    commands: usageCommands,
    rootSchema: usageRootSchema,
    rowSchemas: usageRowSchemas,
    limits,
    handlers: { publish: publishCounts, 'add-key': meterKey },
  });
}
