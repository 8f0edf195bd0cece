/** A group of pages in the column beside every page. */
export interface Section {
  readonly title: string;
  readonly pages: readonly Entry[];
}

/** A page by its path behind `/docs/`; its label is its title where none is given. */
interface Entry {
  readonly path: string;
  readonly label?: string;
  /** The file relative to `infra/docs`, where it is another than the path says; null for a page that is generated. */
  readonly source?: string | null;
}

/** Every page besides those of single operations and decisions, in the order to read them. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      { path: '', label: 'Documentation', source: 'README.md' },
      { path: 'quick-start' },
      { path: 'tutorials/backend', label: 'For a backend' },
      { path: 'tutorials/agent', label: 'For an agent' },
      { path: 'tutorials/operator', label: 'For an operator' },
    ],
  },
  {
    title: 'Guides',
    pages: [
      { path: 'rate-limits' },
      { path: 'which-limits' },
      { path: 'checklist' },
      { path: 'backfill' },
      { path: 'csv-import' },
      { path: 'feedback' },
      { path: 'browser-checks' },
      { path: 'client' },
      { path: 'other-languages' },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { path: 'api', label: 'API', source: null },
      { path: 'errors' },
      { path: 'reference', label: 'Common rules', source: 'reference/README.md' },
      { path: 'reference/rate-limits' },
      { path: 'reference/usage' },
      { path: 'reference/agents' },
      { path: 'reference/workspaces' },
      { path: 'reference/people' },
      { path: 'reference/audit' },
      { path: 'reference/checklists' },
      { path: 'reference/checklist-widget' },
      { path: 'reference/imports' },
      { path: 'reference/import-widget' },
      { path: 'reference/feedback' },
      { path: 'reference/feedback-widget' },
      { path: 'reference/checks' },
      { path: 'reference/cli' },
      { path: 'reference/operations' },
    ],
  },
  {
    title: 'Operate',
    pages: [
      { path: 'deployment' },
      { path: 'settings', source: null },
      { path: 'mail' },
      { path: 'changelog', source: '../../CHANGELOG.md' },
      { path: 'growing' },
      { path: 'backup' },
      { path: 'multi-region' },
      { path: 'runbook' },
      { path: 'metrics' },
      { path: 'traces' },
      { path: 'bounds' },
      { path: 'performance' },
    ],
  },
  {
    title: 'How it works',
    pages: [
      { path: 'security-model' },
      { path: 'durability' },
      { path: 'faults' },
      { path: 'security', label: 'Report a vulnerability', source: '../../SECURITY.md' },
      { path: 'architecture', source: '../../ARCHITECTURE.md' },
      { path: 'topics' },
      { path: 'decisions', source: 'decisions/README.md' },
    ],
  },
];
