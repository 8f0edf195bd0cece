// Reads: the topic `usage`. Writes: the table `usage`; what live keys have used goes on to their organization.
import type { Limits } from '../../schemas/limits.ts';
import { type UsageCommand, usageCommands } from '../../schemas/usage/commands.ts';
import {
  meteredKeyId,
  periodsOf,
  type UsageRoot,
  type UsageRows,
  usageRootSchema,
  usageRowSchemas,
} from '../../schemas/usage/documents.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { AnyFold, PartialView } from '../runtime/fold.ts';
import { defineSwitchingFold } from '../runtime/unconverted.ts';
import { meterKey } from './meter-key.ts';
import { prunedRows } from './prune.ts';
import { publishCounts } from './publish-counts.ts';

/** The fold of metered usage: how often each API key was used, by minute, hour, day and month. */
export function createUsageFold(limits: Limits): AnyFold {
  return defineSwitchingFold<UsageRoot, UsageRows, typeof usageCommands>({
    topic: 'usage',
    commands: usageCommands,
    limits,
    rootSchema: usageRootSchema,
    rowSchemas: usageRowSchemas,
    reads: rowsOf,
    fold(view, command, context) {
      switch (command.type) {
        case 'publish':
          return publishCounts(view, command.input, context);
        case 'add-key':
          return meterKey(view, command.input);
      }
    },
  });
}

function rowsOf(command: UsageCommand, view: PartialView<UsageRoot, UsageRows>): RowKey[] {
  switch (command.type) {
    case 'publish':
      return [
        ...command.input.counts.flatMap(({ minute }) => {
          const { month, day, hour } = periodsOf(minute);
          return [
            { kind: 'month', id: month },
            { kind: 'day', id: day },
            { kind: 'hour', id: hour },
          ];
        }),
        ...prunedRows(view.root),
      ];
    case 'add-key': {
      const { month, keyId } = command.input;
      return [
        { kind: 'metered', id: month },
        { kind: 'metered-key', id: meteredKeyId(month, keyId) },
      ];
    }
  }
}
