import type { InputOf } from '../../schemas/base/command.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { importsCommands } from '../../schemas/imports/commands.ts';
import type { CommandEffect } from '../runtime/fold.ts';
import type { AttemptName } from './attempt-reading.ts';

/** The command with which a worker reports to the import's aggregate. */
export function report<Type extends keyof typeof importsCommands>(
  { installationId }: AttemptName,
  type: Type,
  input: InputOf<typeof importsCommands, Type> & JsonObject,
): CommandEffect {
  return { kind: 'command', topic: 'imports', key: installationId, type, input };
}

/** The report that an item ended in the dead letters. */
export function reportFailure(name: AttemptName): CommandEffect {
  const { importId, attempt } = name;
  return report(name, 'work-failed', { importId, attempt });
}

/** Attempts on one item before the validation fails: what fails three times is wrong with the item, not with the moment. */
export const WORK_ATTEMPTS_MAX = 3;
