import type { Actor, CommandType, ResultOf } from '../schemas/base/command.ts';
import type { JsonObject } from '../schemas/base/json.ts';
import type { BrowserState } from '../schemas/checks/browser-state.ts';
import type { Limits } from '../schemas/limits.ts';
import type { Switches } from '../schemas/organizations/switches.ts';
import type { Product } from '../schemas/products.ts';
import type { Download } from '../schemas/workspaces/capabilities.ts';
import type { Match, MatchKind, NextAction } from '../schemas/workspaces/overview.ts';
import type { WorkspaceView } from '../schemas/workspaces/state.ts';
import type { CommandsOf, CommandTopicName, TopicCommand } from '../topics/catalogue.ts';
import type { Blobs } from '../topics/ports/blobs.ts';
import type { Clock, Entropy } from '../topics/ports/clock.ts';
import type { Counters } from '../topics/ports/counters.ts';
import type { DigestIndex } from '../topics/ports/digest-index.ts';
import type { Room } from '../topics/ports/disk-room.ts';
import type { ProofReader } from '../topics/ports/proofs.ts';
import type { Store } from '../topics/ports/store.ts';
import type { GatewayTally } from '../topics/ports/tally.ts';
import type { Span } from '../topics/ports/tracer.ts';
import type { Readings } from './http/records/readings.ts';
import type { ApprovalWaits } from './imports/delivery/approval-waits.ts';
import type { Checker } from './limiter/checker.ts';
import type { OperationsBoard } from './operations/process-reading.ts';
import type { OidcClient } from './people/oidc-client.ts';
import type { OperatorMemory } from './people/operator-memory.ts';

/** The envelope data that a command is sent with. */
export interface Sending {
  /** The operation whose idempotency keys are one scope: the route's name. */
  readonly operation: string;
  /** The caller's idempotency key, or null: then the request id is the key and nothing is remembered for repeats. */
  readonly idempotencyKey: string | null;
  /** The caller's input, path parameters included: the digest that a repeat with the same key must match. */
  readonly digestInput: unknown;
  readonly requestId: string;
  readonly actor: Actor;
  /** The caller whose share of the commands in flight this one takes; absent: its aggregate has one. */
  readonly holder?: string;
  /** The span that the command belongs to; absent: none. */
  readonly span?: Span | undefined;
}

/** A command whose type only its topic's table knows. */
export interface UntypedCommand {
  readonly topic: CommandTopicName;
  readonly key: string;
  readonly type: string;
  readonly input: JsonObject;
}

/**
 * Appends a command, waits for its outcome and returns the result of a `done`, as the command's product declares it.
 *
 * @throws {ServiceError} with the fold's refusal; `rate_limited` beyond the holder's share of what is in
 *   flight; or `unavailable` when the outcome is not known in time or too much is in flight.
 */
export type Submit = <Topic extends CommandTopicName, Type extends CommandType<CommandsOf<Topic>>>(
  command: TopicCommand<Topic, Type> & Sending,
) => Promise<ResultOf<CommandsOf<Topic>, Type>>;

/** The base addresses of the service (infra/docs/reference/README.md#hosts), without a trailing slash. */
export interface Hosts {
  readonly base: string;
  readonly limiter: string;
  readonly ingest: string;
  readonly console: string;
  readonly dashboard: string;
}

export type HostName = keyof Hosts;

/** A verified result of a product: the service itself has seen it work. */
export interface SeenResult {
  readonly id: string;
  /** Unix milliseconds at which the data arrived. */
  readonly at: number;
  /** The rows of an import, all of which are valid; absent for other kinds. */
  readonly rows?: number;
}

/** A resource that an agent has configured in a workspace. */
export interface NamedResource {
  readonly kind: 'checklist' | 'schema';
  readonly id: string;
  readonly name: string;
  readonly allowedOrigins: string[];
  /** The current one. */
  readonly revision: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** The resources that a search looks for. */
export interface Search {
  /** As the person wrote it. */
  readonly text: string;
  readonly matches: (id: string, name: string) => boolean;
  /** True if the person may see names that are private: those of uploaded files. */
  readonly showsPrivate: boolean;
}

/** A resource that a search found. */
export interface FoundResource {
  readonly kind: MatchKind;
  readonly id: string;
  readonly name: string;
  /** Absent unless it is an import. */
  readonly importState?: Match['importState'];
  /** Absent where there are no revisions. */
  readonly revision?: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** The reads of a product that routes of workspaces need. An entry that cannot be read does not hide the others. */
export interface ProductReads {
  readonly name: Product;
  /** Returns the verified results of an installation that a claim can rest on, in any order. */
  readResults(
    services: Pick<GatewayServices, 'store'>,
    installationId: string,
  ): Promise<Readings<SeenResult>>;
  /** Returns the first thing that waits for a person, if anything does; absent where nothing ever waits. */
  readWaiting?(
    services: Pick<GatewayServices, 'store' | 'clock'>,
    workspace: WorkspaceView,
  ): Promise<Readings<NextAction>>;
  /** Returns the origins that an installation has proved, and whose proof has not ended. */
  readProvedOrigins?(
    services: Pick<GatewayServices, 'store' | 'clock'>,
    installationId: string,
  ): Promise<Readings<string>>;
  /** Returns the configured resources, newest first. */
  readResources?(
    services: Pick<GatewayServices, 'store'>,
    installationId: string,
  ): Promise<Readings<NamedResource>>;
  /** Returns the resources that match, newest first within each kind. */
  findResources?(
    services: Pick<GatewayServices, 'store' | 'blobs' | 'clock' | 'limits'>,
    workspace: WorkspaceView,
    search: Search,
  ): Promise<Readings<FoundResource>>;
}

/** The operator's switches. */
export interface SwitchReader {
  /** Returns them as they were within the latest second. */
  read(): Promise<Switches>;
  readNow(): Promise<Switches>;
  /** Has the next request read them again, because they have changed. */
  forget(): void;
}

/**
 * The services that every handler may use. Gateways read state and never write it: the store has no `commit` here.
 */
export interface GatewayServices {
  readonly store: Pick<Store, 'read' | 'list'>;
  readonly blobs: Blobs;
  readonly digestIndex: Pick<DigestIndex, 'get'>;
  readonly counters: Counters;
  /** The rate limiter. */
  readonly checker: Checker;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly submit: Submit;
  /** Requests that wait until an import is approved. */
  readonly approvalWaits: ApprovalWaits;
  /** The products of workspaces, in the order of their list. */
  readonly products: readonly ProductReads[];
  /** The operator's switches. */
  readonly switches: SwitchReader;
  /** The reports of all processes, now and over time. */
  readonly board: OperationsBoard;
  /** The sessions of operators, for the time in which an engine is down. */
  readonly operators: OperatorMemory;
  /** Counts what operators see. */
  readonly tally: GatewayTally;
  /** Resolves with the state of the browsers of the service. */
  readonly browser: () => Promise<BrowserState>;
  /** The space that the engine has left. */
  readonly room: () => Room;
  readonly limits: Limits;
  readonly hosts: Hosts;
  /** The files to download, as the capabilities list them. */
  readonly downloads: readonly Download[];
  readonly secrets: SecretKeys;
  /** The secret that the billing provider signs its events with, or null if there is no provider. */
  readonly billingSecret: string | null;
  /** The sign-up policy: open to all, to invited people, or closed (infra/docs/reference/people.md). */
  readonly signUp: SignUpPolicy;
  /** True if the service sends mail. */
  readonly sendsMail: boolean;
  /** The identity provider that people may sign in with, or null. */
  readonly oidc: OidcClient | null;
  /** Ports at which `http://localhost` and `http://127.0.0.1` are admitted as origins; empty outside of demos and tests. */
  readonly loopbackPorts: readonly number[];
  /** Fetches the files that prove origins. */
  readonly proofs: ProofReader;
}

export type SignUpPolicy = 'open' | 'invite' | 'off';

export interface SecretKeys {
  /** `SVC_SECRET`: derives secrets that a repeat must return. */
  readonly secret: string;
  /** `SVC_SECRET_PREVIOUS`, tried after the current one. */
  readonly previous: string | null;
  /** `SVC_IDENTITY_SECRET`: keys people and derived ids; never rotated. */
  readonly identity: string;
}
