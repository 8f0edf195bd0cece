import type { Actor } from '../../schemas/base/command.ts';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import type { ErrorCode } from '../../schemas/base/errors.ts';
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
export type Verdict = 'done' | ErrorCode;

/** A workspace and two organizations in memory, with a step for everything that happens between them. */
export class WorkspaceWorld {
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

  create(token = 'provision token', installation = installationId): Verdict {
    const input = {
      name: 'Orders',
      cohort: 'external',
      products: ['svcimport'],
      provisionDigest: sha256Hex(token),
      credential: {
        credentialId: firstCredentialId,
        number: 1,
        digest: sha256Hex('first 1'),
        lastFour: 'abcd',
      },
    };
    return this.#verdict('workspaces', installation, 'create', input, { key: 'create' });
  }

  openLink(code: string, installation = installationId, token = 'provision token'): Verdict {
    const input = { provisionDigest: sha256Hex(token), claimDigest: sha256Hex(code) };
    return this.#verdict('workspaces', installation, 'claim-link', input);
  }

  attach(code: string, organization = 'a', installation = installationId): Verdict {
    const input = { installationId: installation, claimDigest: sha256Hex(code), confirmed: true };
    return this.#asOwner(organization, 'attach', input);
  }

  /** Opens a link and attaches the workspace with it. */
  attachAnew(organization = 'a', installation = installationId): Verdict {
    this.#codes += 1;
    const code = `code ${this.#codes}`;
    const opened = this.openLink(code, installation);
    return opened === 'done' ? this.attach(code, organization, installation) : opened;
  }

  claim(organization = 'a', installation = installationId): Verdict {
    const evidence = { kind: 'import', id: '00000000-0000-4000-8000-000000000000', at: START };
    return this.#asOwner(organization, 'claim', { installationId: installation, evidence });
  }

  erase(organization = 'a', installation = installationId): Verdict {
    return this.#asOwner(organization, 'erase-workspace', { installationId: installation });
  }

  change(type: 'pause' | 'resume' | 'disconnect'): Verdict {
    return this.#verdict('workspaces', installationId, type, {});
  }

  createCredential(name: string): Verdict {
    const input = {
      credentialId: credentialIdOf(name),
      name,
      number: 1,
      digest: sha256Hex(`${name} 1`),
      lastFour: 'efgh',
    };
    return this.#verdict('workspaces', installationId, 'create-credential', input);
  }

  rotate(name: string, number: number, overlapMs = HOUR_MS): Verdict {
    const input = {
      credentialId: credentialIdOf(name),
      number,
      digest: sha256Hex(`${name} ${number}`),
      lastFour: 'ijkl',
      overlapMs,
    };
    return this.#verdict('workspaces', installationId, 'rotate-credential', input);
  }

  revoke(name: string): Verdict {
    return this.#verdict('workspaces', installationId, 'revoke-credential', {
      credentialId: credentialIdOf(name),
    });
  }

  use(name = 'first'): Verdict {
    return this.#verdict('workspaces', installationId, 'credential-used', {
      credentialId: credentialIdOf(name),
    });
  }

  credential(name: string): JsonObject | null {
    return this.folds.row('workspaces', installationId, 'credential', credentialIdOf(name));
  }

  /** Where a secret leads, or null. */
  pointer(secret: string) {
    return this.folds.lookups.get(`credential:${sha256Hex(secret)}`)?.target ?? null;
  }

  /** The workspaces that have one of the organization's places, with what is known of each. */
  places(organization = 'a'): readonly JsonObject[] {
    const row = this.folds.row('organizations', organizationOf(organization), 'claims', 'all');
    return (row?.['workspaces'] ?? []) as JsonObject[];
  }

  /** The row with which the organization lists a workspace. */
  listed(organization = 'a'): JsonObject | null {
    return this.folds.row('organizations', organizationOf(organization), 'workspace', workspaceId);
  }

  /** The documents of every product, in an order that does not depend on when they were written. */
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

  #asOwner(organization: string, type: string, input: JsonObject): Verdict {
    const actor = { kind: 'user', id: ownerOf(organization) } as const;
    return this.#verdict('organizations', organizationOf(organization), type, input, { actor });
  }

  #verdict(
    topic: TopicName,
    aggregate: string,
    type: string,
    input: JsonObject,
    more: { readonly actor?: Actor; readonly key?: string } = {},
  ): Verdict {
    return verdictOf(this.folds.send({ topic, aggregate, type, input, ...more }));
  }
}

/** Rows of the runtime, which keep traces of commands that changed nothing. */
const RUNTIME = ['outcome', 'entity-keys', 'recent', 'pending'];

export function verdictOf(outcome: Outcome): Verdict {
  return outcome.kind === 'refused' ? outcome.refusal.code : 'done';
}

/** How a workspace comes into each state that the contract tells apart, the shortest way. */
export const STATES = {
  missing: () => {},
  preview: (world) => void world.create(),
  attached: (world) => {
    world.create();
    world.attachAnew();
  },
  claimed: (world) => {
    STATES.attached(world);
    world.claim();
  },
  paused: (world) => {
    STATES.claimed(world);
    world.change('pause');
  },
  expired: (world) => {
    STATES.attached(world);
    world.now += PREVIEW_MS;
  },
  'disconnected preview': (world) => {
    STATES.attached(world);
    world.change('disconnect');
  },
  disconnected: (world) => {
    STATES.paused(world);
    world.change('disconnect');
  },
  erased: (world) => {
    STATES.claimed(world);
    world.erase();
  },
} as const satisfies Record<string, (world: WorkspaceWorld) => void>;

export type State = keyof typeof STATES;
