import { credential } from '../workspaces/credential.ts';
import { progressTargetSchema } from './documents.ts';

/** Its id is the enrollment of the subject, which need not exist. */
interface ProgressCaller {
  readonly owned: { readonly checklistId: string };
  readonly origin: string;
}

/** The credentials that onboarding checklists add, by the kind of caller. */
export const activateCredentials = {
  progress: credential<ProgressCaller>()({
    secret: 'progress',
    indexKind: 'progress-token',
    target: progressTargetSchema,
    label: 'progress token',
    description: "A page of one origin that shows one subject's onboarding progress.",
    actor: 'visitor',
    pages: 'always',
    idIsPrivate: true,
  }),
};
