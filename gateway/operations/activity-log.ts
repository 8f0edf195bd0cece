import { workspaceOf } from '../../schemas/base/ids.ts';
import { HOUR_MS, isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import { ErasedWorkspaces } from '../../schemas/operations/erased-workspaces.ts';
import {
  type Activity,
  type ErasedTally,
  HOURS_KEPT,
  HOURS_SHOWN,
  type HourCounts,
  type HourTally,
  type KeptTallies,
  type NamedWorkspaces,
  NEARLY_USED,
  NO_COUNTS,
  ORIGIN_WORKSPACES_NAMED,
  type OriginTally,
  OUTLIER_LIMIT_LEAST,
  QUOTAS_MAX,
  type QuotaTally,
  type Tallies,
  WORKSPACES_NAMED,
} from '../../schemas/operations/tallies.ts';

/** The counts of workspaces that all processes have reported, by the hour. The size is bounded. */
export class ActivityLog {
  readonly #hours = new Map<number, Map<string, HourTally>>();
  readonly #quotas = new Map<string, QuotaTally>();
  readonly #erased = new ErasedWorkspaces();

  /**
   * Takes what a process reports: it replaces what that process reported about the same hours.
   *
   * @returns true if the report names an erased workspace that was not known as one
   */
  note(processId: string, { hours, quotas, erased }: Tallies): boolean {
    const isNew = this.#erase(erased);
    for (const hour of hours) this.#noteHour(processId, hour, true);
    for (const quota of quotas) this.#noteQuota(quota);
    this.#forget();
    return isNew;
  }

  /** Returns the workspaces that were erased within the hours that are kept. */
  erased(now: number): ErasedTally[] {
    return this.#erased.list(now - HOURS_KEPT * HOUR_MS);
  }

  /** Returns a copy for the next process. */
  kept(now: number): KeptTallies {
    const hours = [...this.#hours].map(([at, byProcess]) => ({
      at,
      byProcess: Object.fromEntries(byProcess),
    }));
    return { hours, quotas: [...this.#quotas.values()], erased: this.erased(now) };
  }

  /** Adds what an earlier process has kept and this one has not been told. */
  adopt({ hours, quotas, erased }: KeptTallies): void {
    this.#erase(erased);
    for (const { byProcess } of hours) {
      for (const [processId, hour] of Object.entries(byProcess)) this.#noteHour(processId, hour, false);
    }
    for (const quota of quotas) this.#noteQuota(quota);
    this.#forget();
  }

  /** @param previewMs the lifetime of a preview */
  read(now: number, previewMs: number): Omit<Activity, 'isCurrent'> {
    const [first] = [...this.#hours.keys()].sort((left, right) => left - right);
    const current = startOfHour(now);
    const times = Array.from({ length: HOURS_SHOWN }, (_, index) => current - index * HOUR_MS);
    return {
      at: isoTime(now),
      since: isoTimeOrNull(first ?? null),
      hours: times
        .filter((at) => first !== undefined && at >= first)
        .map((at) => this.#hourOf(at, startOfHour(at - previewMs), first ?? at)),
      origins: this.#originsOf(times),
      quotas: this.#outliers(now),
    };
  }

  #hourOf(at: number, createdAt: number, first: number): Activity['hours'][number] {
    const { claimedLater: _later, ...counts } = this.#countsOf(at);
    const before = this.#countsOf(createdAt);
    const expired = createdAt < first ? null : Math.max(0, before.created - before.claimedLater);
    const origins = Object.values(this.#originsIn(at));
    const sum = (countOf: (tally: OriginTally) => number) =>
      origins.reduce((total, tally) => total + countOf(tally), 0);
    return {
      at: isoTime(at),
      ...counts,
      expired,
      feedbackAccepted: sum(({ accepted }) => accepted),
      feedbackHeld: sum(({ held }) => held),
      workspaces: {
        ...{ created: this.#named(at, 'created'), attached: this.#named(at, 'attached') },
        claimed: this.#named(at, 'claimed'),
        expired: expired === null ? [] : this.#unclaimed(createdAt),
      },
    };
  }

  #named(at: number, name: keyof NamedWorkspaces): string[] {
    const all = [...(this.#hours.get(at)?.values() ?? [])];
    return [...new Set(all.flatMap(({ workspaces }) => workspaces[name]))].slice(-WORKSPACES_NAMED);
  }

  #unclaimed(createdAt: number): string[] {
    const claimed = new Set(this.#named(createdAt, 'claimedLater'));
    return this.#named(createdAt, 'created').filter((workspaceId) => !claimed.has(workspaceId));
  }

  #countsOf(at: number): HourCounts {
    const all = [...(this.#hours.get(at)?.values() ?? [])];
    return Object.fromEntries(
      Object.keys(NO_COUNTS).map((name) => [
        name,
        all.reduce((sum, { counts }) => sum + counts[name as keyof HourCounts], 0),
      ]),
    ) as HourCounts;
  }

  #originsIn(...times: readonly number[]): Readonly<Record<string, OriginTally>> {
    const sums: Record<string, OriginTally> = {};
    for (const { origins } of times.flatMap((at) => [...(this.#hours.get(at)?.values() ?? [])])) {
      for (const [origin, { accepted, held, workspaces }] of Object.entries(origins)) {
        const sum = sums[origin] ?? { accepted: 0, held: 0, workspaces: [] };
        sums[origin] = {
          accepted: sum.accepted + accepted,
          held: sum.held + held,
          workspaces: [...new Set([...sum.workspaces, ...workspaces])].slice(-ORIGIN_WORKSPACES_NAMED),
        };
      }
    }
    return sums;
  }

  #originsOf(times: readonly number[]): Activity['origins'] {
    return Object.entries(this.#originsIn(...times))
      .map(([origin, tally]) => ({ origin, ...tally }))
      .sort((left, right) => right.held - left.held || right.accepted - left.accepted);
  }

  /** Those that are nearly used up, the fullest first. */
  #outliers(now: number): Activity['quotas'] {
    return [...this.#quotas.values()]
      .filter(
        ({ used, limit, resetsAt, endsAt, at }) =>
          limit >= OUTLIER_LIMIT_LEAST &&
          used >= NEARLY_USED * limit &&
          [resetsAt, endsAt].every((end) => end === null || end > now) &&
          at > now - HOURS_KEPT * HOUR_MS,
      )
      .sort((left, right) => right.used / right.limit - left.used / left.limit)
      .map(({ installationId, product, quota, used, limit, resetsAt, at }) => ({
        ...{ workspaceId: workspaceOf(installationId), product, quota, used, limit },
        remaining: Math.max(0, limit - used),
        resetsAt: isoTimeOrNull(resetsAt),
        at: isoTime(at),
      }));
  }

  #noteHour(processId: string, hour: HourTally, replaces: boolean): void {
    const byProcess = this.#hours.get(hour.at) ?? new Map<string, HourTally>();
    this.#hours.set(hour.at, byProcess);
    if (replaces || !byProcess.has(processId)) byProcess.set(processId, this.#erased.without(hour));
  }

  #noteQuota(quota: QuotaTally): void {
    const name = `${quota.installationId} ${quota.product} ${quota.quota}`;
    if ((this.#quotas.get(name)?.at ?? 0) > quota.at) return;
    if (this.#erased.has(workspaceOf(quota.installationId))) return;
    this.#quotas.delete(name);
    this.#quotas.set(name, quota);
  }

  #erase(erased: readonly ErasedTally[]): boolean {
    if (!this.#erased.add(erased)) return false;
    for (const byProcess of this.#hours.values()) {
      for (const [processId, hour] of byProcess) byProcess.set(processId, this.#erased.without(hour));
    }
    for (const [name, { installationId }] of this.#quotas) {
      if (this.#erased.has(workspaceOf(installationId))) this.#quotas.delete(name);
    }
    return true;
  }

  #forget(): void {
    const hours = [...this.#hours.keys()].sort((left, right) => left - right);
    for (const at of hours.slice(0, -HOURS_KEPT)) this.#hours.delete(at);
    for (const name of [...this.#quotas.keys()].slice(0, -QUOTAS_MAX)) this.#quotas.delete(name);
  }
}

function startOfHour(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS;
}
