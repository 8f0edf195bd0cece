import { activateProduct } from '../../schemas/activate/product.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { AnyFold } from '../runtime/fold/fold.ts';
import { defineProductFold } from '../runtime/fold/product-fold.ts';
import type { ActivateFold } from './activate-fold.ts';
import { createChecklist, reviseChecklist } from './commands/checklists.ts';
import { eraseSubject } from './commands/erase-subject.ts';
import { recordEvent } from './commands/record-event.ts';
import { recordEvents } from './commands/record-events.ts';
import { issueSession, tidySessions } from './commands/sessions.ts';
import { endTokens } from './sessions.ts';

/** The fold of onboarding checklists: one aggregate an installation. */
export function createActivateFold(limits: Limits): AnyFold {
  return defineProductFold<ActivateFold>(activateProduct, {
    limits,
    erases: { sessions: ({ sessions = [] }) => endTokens(sessions) },
    handlers: {
      'create-checklist': createChecklist,
      'revise-checklist': reviseChecklist,
      'record-event': recordEvent,
      'record-events': recordEvents,
      'issue-session': issueSession,
      'erase-subject': eraseSubject,
      'tidy-sessions': tidySessions,
    },
  });
}
