import { activateCommands } from '../../schemas/activate/commands.ts';
import {
  activateRootSchema,
  activateRowSchemas,
  EMPTY_ACTIVATE_ROOT,
} from '../../schemas/activate/documents.ts';
import type { Limits } from '../../schemas/limits.ts';
import { type AnyFold, defineFold } from '../runtime/fold.ts';
import type { ActivateFold } from './activate-fold.ts';
import { createChecklist } from './commands/create-checklist.ts';
import { eraseRows } from './commands/erase-rows.ts';
import { eraseSubject } from './commands/erase-subject.ts';
import { issueSession } from './commands/issue-session.ts';
import { lifecycle } from './commands/lifecycle.ts';
import { recordEvent } from './commands/record-event.ts';
import { reviseChecklist } from './commands/revise-checklist.ts';
import { tidySessions } from './commands/tidy-sessions.ts';

/** The fold of onboarding checklists: one aggregate an installation. */
export function createActivateFold(limits: Limits): AnyFold {
  return defineFold<ActivateFold>({
    topic: 'activate',
    commands: activateCommands,
    rootSchema: activateRootSchema,
    rowSchemas: activateRowSchemas,
    emptyRoot: EMPTY_ACTIVATE_ROOT,
    limits,
    isErased: ({ lifecycle: known }) => known?.state === 'erased',
    handlers: {
      lifecycle,
      'erase-rows': eraseRows,
      'create-checklist': createChecklist,
      'revise-checklist': reviseChecklist,
      'record-event': recordEvent,
      'issue-session': issueSession,
      'erase-subject': eraseSubject,
      'tidy-sessions': tidySessions,
    },
  });
}
