import { checklistExportSchema } from '../../schemas/activate/http.ts';
import type { ProductDocumentation } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';
import { activateSchemas, CHECKLIST_EXPORT } from './documented-schemas.ts';

/** The texts about onboarding checklists in the OpenAPI document. */
export const activateDocumentation: ProductDocumentation = {
  tag: {
    name: 'Onboarding checklists',
    description:
      'A checklist shows one to five milestones to each user of a customer. The backend of the customer reports milestones; the page of the user reads them with a short-lived token.',
  },
  parameters: {
    installationId: { description: 'The installation of the workspace.', example: EXAMPLES.installationId },
    workspaceId: { description: 'The workspace, one of the organization.', example: EXAMPLES.workspaceId },
    checklistId: { description: 'The checklist.', example: EXAMPLES.checklistId },
    revision: { description: 'The revision to count.', example: 1 },
    cohort: { description: 'The cohort to count.', example: 'test' },
  },
  schemas: activateSchemas,
  operations: {
    readActivateProduct: {
      description: 'Returns the installation, its state and what is left of its limits.',
    },
    listChecklists: { description: 'Returns every checklist with its current revision.' },
    createChecklist: { description: 'Creates a checklist with its first revision.' },
    reviseChecklist: {
      description:
        'Creates the next revision. It is for subjects that are enrolled later; the others keep theirs. `expectedRevision` must be the current one.',
    },
    recordEvent: {
      description:
        'Reports that a subject has reached a milestone, at least once and in any order. The first accepted event enrolls the subject in the current revision.',
    },
    issueProgressSession: {
      description:
        'Issues a token with which one page reads the progress of one subject. Call it from your backend, and derive the subject from the signed-in user.',
    },
    readChecklistSummary: { description: 'Returns the counts of one revision and cohort.' },
    readProgress: {
      description:
        'Returns the progress of the subject that the token is for. Only pages of the origin of the session may call it.',
    },
    listWorkspaceChecklists: {
      description: 'Returns every checklist of the workspace with its current revision.',
    },
    readWorkspaceChecklist: { description: 'Returns a checklist with the configuration of every revision.' },
    readWorkspaceChecklistSummary: { description: 'Returns the counts of one revision and cohort.' },
    exportChecklist: {
      description: 'Returns the configuration and all counts of a checklist. It has no data of subjects.',
      file: { schema: checklistExportSchema, example: CHECKLIST_EXPORT },
    },
    eraseSubject: {
      description:
        'Erases a subject: the enrollment, its events, the keys of the events and the sessions. Limits do not get back what was used.',
    },
  },
};
