import { type ActivateCommand, activateCommands } from '../../schemas/activate/commands.ts';
import {
  type ActivateRoot,
  type ActivateRows,
  activateRootSchema,
  activateRowSchemas,
  EMPTY_ACTIVATE_ROOT,
} from '../../schemas/activate/documents.ts';
import { outcomeRowId } from '../../schemas/base/outcome.ts';
import type { Limits } from '../../schemas/limits.ts';
import { defineFold, type FoldDefinition } from '../runtime/fold.ts';
import { createChecklist } from './commands/create-checklist.ts';
import { eraseRows } from './commands/erase-rows.ts';
import { eraseSubject } from './commands/erase-subject.ts';
import { issueSession } from './commands/issue-session.ts';
import { lifecycle } from './commands/lifecycle.ts';
import { recordEvent } from './commands/record-event.ts';
import { reviseChecklist } from './commands/revise-checklist.ts';
import { tidySessions } from './commands/tidy-sessions.ts';
import type { Step } from './step.ts';

export type ActivateFold = FoldDefinition<ActivateRoot, ActivateRows, typeof activateCommands>;

/** How each type of command is folded. */
const STEPS: { readonly [Type in ActivateCommand['type']]: Step<Type> } = {
  lifecycle,
  'erase-rows': eraseRows,
  'create-checklist': createChecklist,
  'revise-checklist': reviseChecklist,
  'record-event': recordEvent,
  'issue-session': issueSession,
  'erase-subject': eraseSubject,
  'tidy-sessions': tidySessions,
};

/** The fold of onboarding checklists: one aggregate an installation (contract C). */
export function createActivateFold(limits: Limits): ActivateFold {
  return defineFold<ActivateRoot, ActivateRows, typeof activateCommands>({
    topic: 'activate',
    schemas: activateCommands,
    rootSchema: activateRootSchema,
    rowSchemas: activateRowSchemas,
    isErased: ({ lifecycle: known }) => known?.state === 'erased',
    reads: (command, view) => stepOf(command).reads(command.input, view),
    fold: (view, command, context) => {
      const { input, actor, operation, key } = command;
      return stepOf(command).fold({
        view,
        root: view.root ?? EMPTY_ACTIVATE_ROOT,
        input,
        actor,
        outcomeId: outcomeRowId(operation, key),
        context,
        limits,
      });
    },
  });
}

/** The command's own step: the table's type says that they belong together, which a union cannot express. */
function stepOf(command: ActivateCommand): Step<ActivateCommand['type']> {
  return STEPS[command.type] as Step<ActivateCommand['type']>;
}
