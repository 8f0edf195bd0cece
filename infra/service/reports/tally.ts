import { workspaceOf } from '../../../schemas/base/ids.ts';
import { quotaSchema } from '../../../schemas/base/quota.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { HOUR_MS } from '../../../schemas/base/time.ts';
import type { Limits } from '../../../schemas/limits.ts';
import { ErasedWorkspaces } from '../../../schemas/operations/erased-workspaces.ts';
import {
  type ErasedTally,
  HOURS_KEPT,
  HOURS_REPORTED,
  type HourCounts,
  type HourTally,
  type NamedWorkspaces,
  NEARLY_USED,
  NO_COUNTS,
  NO_WORKSPACES,
  ORIGIN_WORKSPACES_NAMED,
  ORIGINS_MAX,
  OTHER_ORIGINS,
  OUTLIER_LIMIT_LEAST,
  QUOTAS_MAX,
  type QuotaTally,
  type Tallies,
  WORKSPACES_NAMED,
} from '../../../schemas/operations/tallies.ts';
import { type AnyProduct, PRODUCTS } from '../../../schemas/products.ts';
import { workspaceRootSchema } from '../../../schemas/workspaces/documents.ts';
import type { ProductRoot } from '../../../schemas/workspaces/product.ts';
import type { AnsweredRequest, RequestMeter } from '../../../topics/ports/meter.ts';
import type { GatewayTally, ProcessorTally, TalliedCommit } from '../../../topics/ports/tally.ts';

const PRODUCT_BY_TOPIC = new Map<string, AnyProduct>(PRODUCTS.map((product) => [product.topic, product]));

/** The path of the creation of workspaces. */
const CREATE_PATH = '/v1/agent/workspaces';

/** The commands that are counted by the hour. */
const LIFE: ReadonlySet<string> = new Set(['create', 'attach', 'claim']);

/** Counts what this process sees of all workspaces, for its report. Its size is bounded. */
export class Tally implements ProcessorTally, GatewayTally, RequestMeter {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #hours = new Map<number, HourTally>();
  readonly #quotas = new Map<string, QuotaTally>();
  readonly #erased = new ErasedWorkspaces();

  constructor(limits: Limits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  committed(commit: TalliedCommit): void {
    if (commit.root === null) return;
    if (commit.topic === 'workspaces') this.#lifeOf(commit);
    const product = PRODUCT_BY_TOPIC.get(commit.topic);
    if (product === undefined) return;
    this.#quotasOf(product, commit);
    const runs = commit.decided.filter(
      ({ type, outcome }) => type === 'request-run' && outcome.kind === 'done',
    );
    if (runs.length > 0) this.#count(this.#now(), 'runs', runs.length);
  }

  /** Removes the names of erased workspaces, and takes no further ones. */
  forget(erased: readonly ErasedTally[]): void {
    if (!this.#erased.add(erased)) return;
    for (const [at, hour] of this.#hours) this.#hours.set(at, this.#erased.without(hour));
    for (const [name, { installationId }] of this.#quotas) {
      if (this.#erased.has(workspaceOf(installationId))) this.#quotas.delete(name);
    }
  }

  feedback(origin: string, isHeld: boolean, installationId: string): void {
    const { origins } = this.#hour(this.#now());
    const workspaceId = workspaceOf(installationId);
    const isErased = this.#erased.has(workspaceId);
    const hasRoom = origins[origin] !== undefined || Object.keys(origins).length < ORIGINS_MAX;
    const name = hasRoom && !isErased ? origin : OTHER_ORIGINS;
    const { accepted, held, workspaces } = origins[name] ?? { accepted: 0, held: 0, workspaces: [] };
    origins[name] = {
      accepted: accepted + (isHeld ? 0 : 1),
      held: held + (isHeld ? 1 : 0),
      workspaces: isErased ? workspaces : latest(ORIGIN_WORKSPACES_NAMED, workspaces, workspaceId),
    };
  }

  answered({ route, code }: AnsweredRequest): void {
    if (route?.path === CREATE_PATH && route.method === 'POST' && code === 'rate_limited') {
      this.#count(this.#now(), 'refused');
    }
  }

  /** Returns what belongs to the latest hours, and the hours whose previews were claimed since. */
  read(): Tallies {
    const begin = this.#now() - HOURS_REPORTED * HOUR_MS;
    const hours = [...this.#hours.values()]
      .filter(({ at, counts }) => at > begin || counts.claimedLater > 0)
      .map((hour) => ({ ...hour, origins: { ...hour.origins } }));
    const quotas = [...this.#quotas.values()].filter(({ at }) => at > begin);
    return { hours, quotas, erased: this.#erased.list(begin) };
  }

  /** Counts the first decision of each: a repeat has the time of the first one. */
  #lifeOf({ key, root, decided }: TalliedCommit): void {
    // Most commits are uses of credentials.
    if (root?.['state'] !== 'erased' && !decided.some(({ type }) => LIFE.has(type))) return;
    const workspace = readStored(workspaceRootSchema, root);
    if (workspace.state === 'erased') {
      this.forget([{ workspaceId: workspaceOf(key), at: workspace.erasedAt }]);
      return;
    }
    const { createdAt, attachment, claim } = workspace;
    const isFirst = (type: string, at: number | undefined) =>
      decided.some((each) => each.type === type && each.outcome.kind === 'done' && each.appendedAt === at);
    if (isFirst('create', createdAt)) this.#step(createdAt, 'created', key);
    if (isFirst('attach', attachment?.attachedAt)) this.#step(this.#now(), 'attached', key);
    if (isFirst('claim', claim?.claimedAt)) {
      this.#step(this.#now(), 'claimed', key);
      this.#step(createdAt, 'claimedLater', key);
    }
  }

  #quotasOf({ name: product, shownQuotas }: AnyProduct, { key, root, decided }: TalliedCommit): void {
    const { lifecycle } = root as ProductRoot;
    if (lifecycle === null || lifecycle === undefined) return;
    const at = this.#now();
    if (lifecycle.state === 'erased') {
      this.forget([{ workspaceId: workspaceOf(key), at }]);
      return;
    }
    const endsAt = lifecycle.state === 'disconnected' ? at : lifecycle.expiresAt;
    const scope = { root: root as ProductRoot, limits: this.#limits, context: { now: at } };
    const isChanged = decided.some(({ type }) => type === 'lifecycle');
    for (const [quota, value] of Object.entries(shownQuotas(scope, lifecycle.plan))) {
      const { used, limit, resetsAt } = quotaSchema.parse(value);
      const name = `${key} ${product} ${quota}`;
      const isNear = limit >= OUTLIER_LIMIT_LEAST && used >= NEARLY_USED * limit;
      // Another plan may free what another process has told.
      if (!isNear && !isChanged && !this.#quotas.has(name)) continue;
      this.#quotas.delete(name);
      const reset = resetsAt === null ? null : Date.parse(resetsAt);
      this.#quotas.set(name, {
        installationId: key,
        product,
        quota,
        used,
        limit,
        resetsAt: reset,
        endsAt,
        at,
      });
    }
    for (const name of this.#quotas.keys()) {
      if (this.#quotas.size <= QUOTAS_MAX) break;
      this.#quotas.delete(name);
    }
  }

  #step(at: number, name: keyof NamedWorkspaces, key: string): void {
    this.#count(at, name);
    const hour = this.#hour(at);
    const named = latest(WORKSPACES_NAMED, hour.workspaces[name], workspaceOf(key));
    hour.workspaces = { ...hour.workspaces, [name]: named };
  }

  #count(at: number, name: keyof HourCounts, by = 1): void {
    const hour = this.#hour(at);
    hour.counts = { ...hour.counts, [name]: hour.counts[name] + by };
  }

  #hour(time: number) {
    const at = Math.floor(time / HOUR_MS) * HOUR_MS;
    const known = this.#hours.get(at);
    if (known !== undefined) return known;
    const hour: HourTally = { at, counts: NO_COUNTS, workspaces: NO_WORKSPACES, origins: {} };
    this.#hours.set(at, hour);
    const [oldest] = [...this.#hours.keys()].sort((left, right) => left - right);
    if (oldest !== undefined && this.#hours.size > HOURS_KEPT) this.#hours.delete(oldest);
    return hour;
  }
}

/** The latest ones, the newest last. */
function latest(most: number, workspaces: readonly string[], next: string): string[] {
  return [...workspaces.filter((each) => each !== next), next].slice(-most);
}
