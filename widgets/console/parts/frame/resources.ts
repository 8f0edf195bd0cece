import type { Schemas } from '../../api/interface.ts';

interface Resource {
  /** The beginning of an id. An import has a UUID. */
  readonly ids: RegExp;
  readonly word: string;
  /** The address of the page of one, or of the page that lists it; absent where there is none. `{root}` is its workspace. */
  readonly page?: string;
}

/** Every kind of resource that has an id, in words, with its place in the console. */
const RESOURCES = {
  workspace: { ids: /^(?:wks|ins)_/, word: 'workspace', page: '{root}' },
  schema: { ids: /^sch_/, word: 'schema', page: '{root}/schemas/{id}' },
  import: {
    ids: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    word: 'import',
    page: '{root}/imports/{id}',
  },
  checklist: { ids: /^chk_/, word: 'checklist', page: '{root}/checklists/{id}' },
  widget: { ids: /^wid_/, word: 'feedback widget', page: '{root}/feedback?widget={id}' },
  submission: { ids: /^sub_/, word: 'submission' },
  origin: { ids: /^ori_/, word: 'checked origin', page: '{root}/checks' },
  profile: { ids: /^acc_/, word: 'access profile', page: '{root}/checks' },
  suite: { ids: /^sui_/, word: 'check suite', page: '{root}/checks?suite={id}' },
  run: { ids: /^run_/, word: 'check run', page: '{root}/checks/{id}' },
  capability: { ids: /^cap_/, word: 'capability' },
  credential: { ids: /^crd_/, word: 'credential', page: '{root}' },
  key: { ids: /^key_/, word: 'API key', page: '/keys/{id}' },
  person: { ids: /^usr_/, word: 'person', page: '/members' },
  invitation: { ids: /^inv_/, word: 'invitation', page: '/members' },
  request: { ids: /^req_/, word: 'request' },
} as const satisfies Readonly<Record<string, Resource>>;

export type ResourceKind = keyof typeof RESOURCES;

const KINDS = Object.keys(RESOURCES) as ResourceKind[];

/** The kind of the resource with this id; null if the text is no id of one. */
export function resourceKind(id: string): ResourceKind | null {
  return KINDS.find((kind) => RESOURCES[kind].ids.test(id)) ?? null;
}

/** The kind in words: `check run`. */
export function resourceWord(kind: ResourceKind): string {
  return RESOURCES[kind].word;
}

/** The address of a resource, or of the page that lists it; null if it has none, or its workspace is not known. */
export function resourceAddress(kind: ResourceKind, id: string, workspaceId: string | null): string | null {
  const { page }: Resource = RESOURCES[kind];
  if (page === undefined || (workspaceId === null && page.startsWith('{root}'))) return null;
  return page.replace('{root}', `/agent-workspaces/${workspaceId}`).replace('{id}', id);
}

/** The pages of a workspace besides its overview. `product`: null where every workspace has it. `count`: the number beside the name. */
export const WORKSPACE_PAGES: readonly {
  readonly folder: string;
  readonly label: string;
  readonly product: Schemas['Workspace']['products'][number] | null;
  readonly count: keyof Schemas['Inventory'];
}[] = [
  { folder: 'imports', label: 'Imports', product: 'svcimport', count: 'imports' },
  { folder: 'schemas', label: 'Schemas', product: 'svcimport', count: 'importSchemas' },
  { folder: 'checklists', label: 'Checklists', product: 'svcactivate', count: 'checklists' },
  { folder: 'feedback', label: 'Feedback', product: null, count: 'feedbackSubmissions' },
  { folder: 'checks', label: 'Checks', product: null, count: 'checkRuns' },
];
