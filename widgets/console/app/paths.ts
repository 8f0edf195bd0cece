/**
 * The addresses of the pages, as wouter matches them. The first that matches counts, so that a name stands before a parameter. The
 * service answers 404 at every other address (infra/tools/browser/build-console.ts).
 */
export const PATHS = [
  '/claim',
  '/agent-workspaces/claim',
  '/sign-in',
  '/sign-up',
  '/set-up',
  '/forgot-password',
  '/reset',
  '/invitation',
  '/signed-in',
  '/keys',
  '/keys/:keyId',
  '/members',
  '/audit',
  '/settings',
  '/ops',
  '/agent-workspaces',
  '/agent-workspaces/:workspaceId',
  '/agent-workspaces/:workspaceId/imports',
  '/agent-workspaces/:workspaceId/imports/upload',
  '/agent-workspaces/:workspaceId/imports/:importId',
  '/agent-workspaces/:workspaceId/schemas',
  '/agent-workspaces/:workspaceId/schemas/:schemaId',
  '/agent-workspaces/:workspaceId/checklists',
  '/agent-workspaces/:workspaceId/checklists/:checklistId',
  '/agent-workspaces/:workspaceId/feedback',
  '/agent-workspaces/:workspaceId/checks',
  '/agent-workspaces/:workspaceId/checks/:runId',
] as const;

export type PagePath = (typeof PATHS)[number];
