import type { Actor } from '../schemas/base/command.ts';
import { isSecret, type SecretKind } from '../schemas/base/secrets.ts';
import { type ApiKeyTarget, isLimiterKey, KEY_MODES, limiterKeyPrefix } from '../schemas/limiter/keys.ts';
import type { Role } from '../schemas/organizations/documents.ts';
import type { WorkspaceView } from '../schemas/workspaces/state.ts';
import type { TopicCommand } from '../topics/catalogue.ts';

/** A caller as an authenticator has established it. Checks, limits, log and commands read nothing but these fields. */
export interface Principal<Kind extends string = string> {
  readonly kind: Kind;
  /** Tells one caller of a kind from another; null without a credential. Never a secret. */
  readonly id: string | null;
  /** The acting party, as commands carry it. */
  readonly actor: Actor;
  /** The workspace that the credential belongs to. */
  readonly workspace: WorkspaceView | null;
  /** Path parameters that must have these values, besides those that name the workspace. */
  readonly owned: Readonly<Record<string, string>>;
  /** The one page origin that the credential may be sent from; null: from no page. */
  readonly origin: string | null;
  /** The organization that the caller belongs to, where the credential itself says so. */
  readonly organizationId: string | null;
  /** The caller's role in that organization. */
  readonly role: Role | null;
  /** True for a member of the organization that operates this service. */
  readonly operator: boolean;
}

/** The credential that a caller presents. `isOne` says nothing about whether the credential is known. */
export type Credential =
  | { readonly form: 'none' }
  | {
      readonly form: 'bearer';
      readonly format: string;
      readonly prefixes: readonly string[];
      readonly isOne: (text: string) => boolean;
    }
  | { readonly form: 'session-cookie' };

/** The command that notes a use. */
export type UseNote =
  | TopicCommand<'workspaces', 'credential-used'>
  | TopicCommand<'imports', 'capability-used'>
  | TopicCommand<'people', 'seen'>;

/** The facts about every caller of a kind. `Known`: the fields that an authenticator of the kind gives. */
export interface PrincipalFacts<Known> {
  readonly credential: Credential;
  /** Names the credential in the list of capabilities. */
  readonly label: string;
  /** Says in the OpenAPI document who the caller is. */
  readonly description: string;
  /** The kind of the acting party in commands. */
  readonly actor: Actor['kind'];
  /**
   * The workspace that a request is about: `own`, that of the credential; `named`, the one that the path names. Routes of
   * such callers say what a paused workspace answers.
   */
  readonly workspace: 'none' | 'own' | 'named';
  /** Says how often requests come from pages of the origin that the credential is bound to. */
  readonly pages: 'never' | 'sometimes' | 'always';
  /** The unit that rate limits count by, if it is not the caller. */
  readonly countedBy?: 'installation';
  /** True where the id stands for a customer's person and is not logged. */
  readonly idIsPrivate?: true;
  /** Makes the command that tells when the caller was last seen. */
  readonly noteUse?: (principal: Known) => UseNote;
}

type KnownFields = Pick<Principal, 'id'> & Partial<Omit<Principal, 'kind' | 'actor'>>;

/** Callers with a credential of one workspace. */
interface OfWorkspace {
  readonly id: string;
  readonly workspace: WorkspaceView;
}

interface CapabilityFacts extends OfWorkspace {
  readonly owned: { readonly schemaId: string };
}

interface UploadFacts extends OfWorkspace {
  readonly owned: { readonly importId: string };
  /** The origin of the browser session that the import belongs to; null for an agent's, which no page may read. */
  readonly origin: string | null;
}

interface SessionFacts extends CapabilityFacts {
  readonly origin: string;
  readonly sessionDigest: string;
  readonly schemaRevision: number;
  readonly delegateApproval: boolean;
  /** Its own end in Unix milliseconds; the preview's end bounds it too. */
  readonly endsAt: number;
  /** The imports that it made: all that it may use. */
  readonly importIds: readonly string[];
}

interface ProgressFacts extends OfWorkspace {
  /** The enrollment of the subject, which need not exist. */
  readonly id: string;
  readonly owned: { readonly checklistId: string };
  readonly origin: string;
}

interface LimiterFacts {
  readonly id: string;
  readonly organizationId: string;
  readonly key: ApiKeyTarget;
}

interface ConsoleFacts {
  /** The user's id. */
  readonly id: string;
  readonly organizationId: string;
  readonly role: Role;
  readonly operator: boolean;
  readonly personKey: string;
  readonly sessionDigest: string;
}

/**
 * Every kind of caller. A further kind is one more entry here; the compiler then asks the composition root for its
 * authenticator.
 */
const TABLE = {
  none: facts<{ readonly id: null }>({
    credential: { form: 'none' },
    label: 'none',
    description: 'Anybody.',
    actor: 'visitor',
    workspace: 'none',
    pages: 'never',
  }),
  project: facts<OfWorkspace>({
    credential: bearer('project'),
    label: 'project credential',
    description: "A workspace's credential: the customer's backend or a coding agent.",
    actor: 'agent',
    workspace: 'own',
    pages: 'never',
    noteUse: ({ id, workspace }) => ({
      topic: 'workspaces',
      key: workspace.installationId,
      type: 'credential-used',
      input: { credentialId: id },
    }),
  }),
  upload: facts<UploadFacts>({
    credential: bearer('upload'),
    label: 'upload token',
    description: "The right to send one import's bytes.",
    actor: 'agent',
    workspace: 'own',
    pages: 'sometimes',
    // Each import has its own upload token.
    countedBy: 'installation',
  }),
  capability: facts<CapabilityFacts>({
    credential: bearer('capability'),
    label: 'backend capability',
    description: "The customer's backend, limited to one import schema and one origin.",
    actor: 'capability',
    workspace: 'own',
    pages: 'never',
    noteUse: ({ id, workspace }) => ({
      topic: 'imports',
      key: workspace.installationId,
      type: 'capability-used',
      input: { capabilityId: id },
    }),
  }),
  session: facts<SessionFacts>({
    credential: bearer('import'),
    label: 'browser import session',
    description: 'A browser that imports one file, on a page of one origin.',
    actor: 'session',
    workspace: 'own',
    pages: 'always',
  }),
  progress: facts<ProgressFacts>({
    credential: bearer('progress'),
    label: 'progress token',
    description: "A page of one origin that shows one subject's onboarding progress.",
    actor: 'visitor',
    workspace: 'own',
    pages: 'always',
    idIsPrivate: true,
  }),
  limiter: facts<LimiterFacts>({
    credential: {
      form: 'bearer',
      format: 'svc_limiter_…',
      prefixes: KEY_MODES.map(limiterKeyPrefix),
      isOne: isLimiterKey,
    },
    label: 'limiter API key',
    description: 'An API key of the limiter; also without the word Bearer.',
    actor: 'agent',
    workspace: 'none',
    pages: 'never',
  }),
  console: facts<ConsoleFacts>({
    credential: { form: 'session-cookie' },
    label: 'console session',
    description: 'A signed-in person.',
    actor: 'user',
    workspace: 'named',
    pages: 'never',
    noteUse: ({ personKey }) => ({ topic: 'people', key: personKey, type: 'seen', input: {} }),
  }),
};

export type PrincipalKind = keyof typeof TABLE;

/** The kinds that present a credential: each has an authenticator. */
export type CredentialedKind = Exclude<PrincipalKind, 'none'>;

/** The fields that an authenticator gives, by kind. */
type KnownByKind = {
  readonly [Kind in PrincipalKind]: (typeof TABLE)[Kind] extends PrincipalFacts<
    infer Known extends KnownFields
  >
    ? Known
    : never;
};

export type PrincipalOf<Kind extends PrincipalKind> = Principal<Kind> & KnownByKind[Kind];

/** A caller of any kind. */
export type AnyPrincipal = PrincipalOf<PrincipalKind>;

/** The facts of every kind of caller. */
export const PRINCIPALS: { readonly [Kind in PrincipalKind]: PrincipalFacts<KnownByKind[Kind]> } = TABLE;

/** A caller of one kind, from what its authenticator knows of it. */
export function principal<Kind extends PrincipalKind>(
  kind: Kind,
  known: KnownByKind[Kind],
): PrincipalOf<Kind> {
  const caller = { ...NOTHING_KNOWN, ...known };
  const { id, role, organizationId } = caller;
  const actor: Actor = {
    kind: PRINCIPALS[kind].actor,
    id: id ?? 'anonymous',
    ...(role === null || organizationId === null ? {} : { organizationId }),
  };
  return { ...caller, kind, actor };
}

const NOTHING_KNOWN: Omit<Principal, 'kind' | 'id' | 'actor'> = {
  workspace: null,
  owned: {},
  origin: null,
  organizationId: null,
  role: null,
  operator: false,
};

/** Names the fields of a kind; only checks the types. */
function facts<Known extends KnownFields>(given: PrincipalFacts<Known>): PrincipalFacts<Known> {
  return given;
}

function bearer(kind: SecretKind): Credential {
  const prefix = `svc_${kind}_`;
  return { form: 'bearer', format: `${prefix}…`, prefixes: [prefix], isOne: (text) => isSecret(kind, text) };
}
