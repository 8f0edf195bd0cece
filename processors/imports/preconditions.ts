import type { Actor } from '../../schemas/base/command.ts';
import { refusal } from '../../schemas/base/errors.ts';
import { type Alive, aliveWorkspace } from '../runtime/fold/alive-workspace.ts';
import type { Scope } from '../runtime/fold/fold.ts';
import type { ImportsFold } from './imports-fold.ts';

/** The same as for other products, but that a pause stops all commands of browsers and none of people. */
export function aliveForActor(
  scope: Pick<Scope<ImportsFold>, 'root' | 'actor' | 'context'>,
  whenPaused: 'refused' | 'allowed',
): Alive {
  return aliveWorkspace(scope, pauseRule(scope.actor, whenPaused));
}

function pauseRule({ kind }: Actor, whenPaused: 'refused' | 'allowed') {
  switch (kind) {
    case 'user':
      return 'allowed';
    case 'session':
      return 'refused';
    case 'agent':
    case 'capability':
    case 'visitor':
    case 'system':
    case 'operator':
      return whenPaused;
  }
}

export const NO_SCHEMA = refusal('not_found', {
  at: 'path.schemaId',
  seen: 'the id of no schema',
  expected: 'the id of a schema of this workspace',
});
