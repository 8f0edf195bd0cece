import type { Actor } from '../schemas/base/command.ts';
import type { JsonObject } from '../schemas/base/json.ts';
import { isSecret } from '../schemas/base/secrets.ts';
import { type ApiKeyTarget, isLimiterKey, KEY_MODES, limiterKeyPrefix } from '../schemas/limiter/keys.ts';
import type { Role } from '../schemas/organizations/documents.ts';
import { type AnyProduct, type CREDENTIALS, PRODUCTS } from '../schemas/products.ts';
import type { CallerFacts, ProductCredential } from '../schemas/workspaces/credential.ts';
import type { WorkspaceView } from '../schemas/workspaces/state.ts';
import type { CommandTopicName } from '../topics/catalogue.ts';

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
  | { readonly form: 'session-cookie' }
  /** No secret: the path names the caller. */
  | { readonly form: 'path' };

export interface UseRecord {
  readonly topic: CommandTopicName;
  readonly key: string;
  readonly type: string;
  readonly input: JsonObject;
}

/** The facts about every caller of a kind. `Known`: the fields that an authenticator of the kind gives. */
export interface PrincipalFacts<Known> extends CallerFacts {
  readonly credential: Credential;
  /**
   * The workspace that a request is about: `own`, that of the credential; `named`, the one that the path names. Routes of
   * such callers say what a paused workspace answers.
   */
  readonly workspace: 'none' | 'own' | 'named';
  /** Makes the command that tells when the caller was last seen. */
  readonly useOf?: (principal: Known) => UseRecord;
}

type KnownFields = Pick<Principal, 'id'> & Partial<Omit<Principal, 'kind' | 'actor'>>;

/** Callers with a credential of one workspace. */
interface OfWorkspace {
  readonly id: string;
  readonly workspace: WorkspaceView;
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

/** The fields that an authenticator of a product gives. */
type KnownOf<Declared> = Declared extends { readonly known?: infer Known } ? OfWorkspace & Known : never;

function productCallers() {
  const callers = PRODUCTS.flatMap(({ topic, credentials }) =>
    Object.entries<ProductCredential>(credentials).map(([kind, declared]) => [
      kind,
      callerOf(topic, declared),
    ]),
  );
  return Object.fromEntries(callers) as {
    readonly [Kind in keyof typeof CREDENTIALS]: PrincipalFacts<KnownOf<(typeof CREDENTIALS)[Kind]>>;
  };
}

function callerOf(
  topic: AnyProduct['topic'],
  { secret, useOf, ...declared }: ProductCredential,
): PrincipalFacts<OfWorkspace> {
  const presented: Credential = secret === null ? { form: 'path' } : bearer(secret);
  const caller = { ...declared, credential: presented, workspace: 'own' } as const;
  if (useOf === undefined) return caller;
  return {
    ...caller,
    useOf: ({ id, workspace }) => ({ topic, key: workspace.installationId, ...useOf(id) }),
  };
}

/** Every kind of caller. The compiler asks the composition root, or the product, for the authenticator of each. */
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
    useOf: ({ id, workspace }) => ({
      topic: 'workspaces',
      key: workspace.installationId,
      type: 'credential-used',
      input: { credentialId: id },
    }),
  }),
  ...productCallers(),
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
    useOf: ({ personKey }) => ({ topic: 'people', key: personKey, type: 'seen', input: {} }),
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

function bearer(kind: string): Credential {
  const prefix = `svc_${kind}_`;
  return { form: 'bearer', format: `${prefix}…`, prefixes: [prefix], isOne: (text) => isSecret(kind, text) };
}
