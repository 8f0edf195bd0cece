import type { Actor } from '../../schemas/base/command.ts';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import type { ErrorCode } from '../../schemas/base/error-codes.ts';
import { idFrom, workspaceOf } from '../../schemas/base/ids.ts';
import { canonicalJson, type JsonObject } from '../../schemas/base/json.ts';
import type { Outcome } from '../../schemas/base/outcome.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import { DEFAULT_LIMITS, type Limits } from '../../schemas/limits.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import type { TopicName } from '../../topics/catalogue.ts';
import { createActivateFold } from '../activate/fold.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createImportsFold } from '../imports/fold.ts';
import { createOrganizationsFold } from '../organizations/fold.ts';
import { createPeopleFold } from '../people/fold.ts';
import { createWorkspacesFold } from './fold.ts';

export const START = Date.UTC(2026, 10, 21, 12);
export const PREVIEW_MS = 72 * HOUR_MS;
const bytes = (text: string) => keyedDigest('test', text);

export const installationId = idFrom('installation', bytes('one'));
export const workspaceId = workspaceOf(installationId);
export const credentialIdOf = (name: string) => idFrom('credential', bytes(name));
export const firstCredentialId = credentialIdOf('first');
export const organizationOf = (name: string) => idFrom('organization', bytes(name));
const ownerOf = (organization: string) => idFrom('user', bytes(`owner of ${organization}`));

interface Aggregate {
  readonly name: string;
  readonly root: { readonly state: JsonObject | null };
  readonly put: readonly (JsonObject & { readonly kind: string })[];
}

/** The refusal's code, or `done`. */
export type Answer = 'done' | ErrorCode;

/** A workspace and two organizations in memory, with a method for each command between them. */
export class WorkspaceHarness {
  readonly folds: FoldWorld;
  #codes = 0;

  constructor(limits: Limits = DEFAULT_LIMITS, deliveries = 1) {
    const folds = [
      createWorkspacesFold(limits),
      createOrganizationsFold(limits),
      createPeopleFold(limits),
      createImportsFold(limits),
      createActivateFold(limits),
    ];
    this.folds = new FoldWorld(folds, START, deliveries);
    for (const organization of ['a', 'b']) this.#setUp(organization);
  }

  get now(): number {
    return this.folds.now;
  }

  set now(now: number) {
    this.folds.now = now;
  }

  get workspace(): WorkspaceDocument {
    return this.folds.root('workspaces', installationId) as WorkspaceDocument;
  }

  create(token = 'provision token', installation = installationId): Answer {
    const input = {
      name: 'Orders',
      cohort: 'external',
      products: ['svcimport'],
      provisionDigest: sha256Hex(token),
      creator: 'a'.repeat(16),
      credential: {
        credentialId: firstCredentialId,
        number: 1,
        digest: sha256Hex('first 1'),
        lastFour: 'abcd',
      },
    };
    return this.#answer('workspaces', installation, 'create', input, { key: 'create' });
  }

  openLink(code: string, installation = installationId, token = 'provision token'): Answer {
    const input = { provisionDigest: sha256Hex(token), claimDigest: sha256Hex(code) };
    return this.#answer('workspaces', installation, 'claim-link', input);
  }

  attach(code: string, organization = 'a', installation = installationId): Answer {
    const input = { installationId: installation, claimDigest: sha256Hex(code), confirmed: true };
    return this.#asOwner(organization, 'attach', input);
  }

  /** Opens a new link and attaches the workspace with it. */
  attachAgain(organization = 'a', installation = installationId): Answer {
    this.#codes += 1;
    const code = `code ${this.#codes}`;
    const opened = this.openLink(code, installation);
    return opened === 'done' ? this.attach(code, organization, installation) : opened;
  }

  claim(organization = 'a', installation = installationId): Answer {
    const evidence = { kind: 'import', id: '00000000-0000-4000-8000-000000000000', at: START };
    return this.#asOwner(organization, 'claim', { installationId: installation, evidence });
  }

  erase(organization = 'a', installation = installationId): Answer {
    return this.#asOwner(organization, 'erase-workspace', { installationId: installation });
  }

  change(type: 'pause' | 'resume' | 'disconnect' | 'expire'): Answer {
    return this.#answer('workspaces', installationId, type, {});
  }

  createCredential(name: string): Answer {
    const input = {
      credentialId: credentialIdOf(name),
      name,
      number: 1,
      digest: sha256Hex(`${name} 1`),
      lastFour: 'efgh',
    };
    return this.#answer('workspaces', installationId, 'create-credential', input);
  }

  rotate(name: string, number: number, overlapMs = HOUR_MS): Answer {
    const input = {
      credentialId: credentialIdOf(name),
      number,
      digest: sha256Hex(`${name} ${number}`),
      lastFour: 'ijkl',
      overlapMs,
    };
    return this.#answer('workspaces', installationId, 'rotate-credential', input);
  }

  revoke(name: string): Answer {
    return this.#answer('workspaces', installationId, 'revoke-credential', {
      credentialId: credentialIdOf(name),
    });
  }

  use(name = 'first'): Answer {
    return this.#answer('workspaces', installationId, 'credential-used', {
      credentialId: credentialIdOf(name),
    });
  }

  credential(name: string): JsonObject | null {
    return this.folds.row('workspaces', installationId, 'credential', credentialIdOf(name));
  }

  /** The target of a secret's index entry, or null. */
  indexed(secret: string) {
    return this.folds.digestIndex.get(`credential:${sha256Hex(secret)}`)?.target ?? null;
  }

  /** The workspaces that hold a place of the organization, with the state of each place. */
  places(organization = 'a'): readonly JsonObject[] {
    const row = this.folds.row('organizations', organizationOf(organization), 'claims', 'all');
    return (row?.['workspaces'] ?? []) as JsonObject[];
  }

  /** The row of the workspace in the organization's list, or null. */
  listed(organization = 'a'): JsonObject | null {
    return this.folds.row('organizations', organizationOf(organization), 'workspace', workspaceId);
  }

  /** The documents of every product, in an order that does not depend on the order of the writes. */
  documents(): string {
    const aggregates: Aggregate[] = JSON.parse(this.folds.documents());
    const own = aggregates.map(({ name, root, put }) => ({
      name,
      state: root.state,
      rows: put
        .filter(({ kind }) => !RUNTIME.includes(kind))
        .map((row) => canonicalJson(row))
        .sort(),
    }));
    return canonicalJson(own.filter(({ state, rows }) => state !== null || rows.length > 0));
  }

  #setUp(organization: string): void {
    this.folds.send({
      topic: 'organizations',
      aggregate: organizationOf(organization),
      type: 'set-up',
      input: {
        name: 'Example',
        operator: false,
        personKey: sha256Hex(`person of ${organization}`),
        userId: ownerOf(organization),
        identityBlob: 'blob',
        sessionDigest: sha256Hex(`session of ${organization}`),
      },
    });
  }

  #asOwner(organization: string, type: string, input: JsonObject): Answer {
    const actor = { kind: 'user', id: ownerOf(organization) } as const;
    return this.#answer('organizations', organizationOf(organization), type, input, { actor });
  }

  #answer(
    topic: TopicName,
    aggregate: string,
    type: string,
    input: JsonObject,
    more: { readonly actor?: Actor; readonly key?: string } = {},
  ): Answer {
    return answerOf(this.folds.send({ topic, aggregate, type, input, ...more }));
  }
}

/** Kinds of rows of the runtime. They record commands that changed nothing, too. */
const RUNTIME = ['outcome', 'entity-keys', 'recent', 'pending'];

export function answerOf(outcome: Outcome): Answer {
  return outcome.kind === 'refused' ? outcome.refusal.code : 'done';
}

/** The shortest way into each state of a workspace (infra/docs/reference/workspaces.md#states). */
export const STATES = {
  missing: () => {},
  preview: (harness) => void harness.create(),
  attached: (harness) => {
    harness.create();
    harness.attachAgain();
  },
  claimed: (harness) => {
    STATES.attached(harness);
    harness.claim();
  },
  paused: (harness) => {
    STATES.claimed(harness);
    harness.change('pause');
  },
  expired: (harness) => {
    STATES.attached(harness);
    harness.now += PREVIEW_MS;
  },
  'disconnected preview': (harness) => {
    STATES.attached(harness);
    harness.change('disconnect');
  },
  disconnected: (harness) => {
    STATES.paused(harness);
    harness.change('disconnect');
  },
  erased: (harness) => {
    STATES.claimed(harness);
    harness.erase();
  },
} as const satisfies Record<string, (harness: WorkspaceHarness) => void>;

export type State = keyof typeof STATES;
