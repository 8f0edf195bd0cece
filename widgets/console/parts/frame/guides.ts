/** The guides of the documentation, by what they are about. */
export const GUIDES = {
  'agent workspaces': '/docs/tutorials/agent',
  'browser checks': '/docs/browser-checks',
  checklists: '/docs/checklist',
  'CSV imports': '/docs/csv-import',
  feedback: '/docs/feedback',
  'rate limits': '/docs/rate-limits',
} as const;
