import {
  ERASED_MAX,
  type ErasedTally,
  type HourTally,
  type NamedWorkspaces,
  type OriginTally,
  OTHER_ORIGINS,
} from './tallies.ts';

/** The ids of erased workspaces, whose names leave what operators see. The size is bounded. */
export class ErasedWorkspaces {
  readonly #times = new Map<string, number>();

  /** Returns true if one of them was not known. */
  add(erased: readonly ErasedTally[]): boolean {
    const added = erased.filter(({ workspaceId }) => !this.#times.has(workspaceId));
    for (const { workspaceId, at } of added) this.#times.set(workspaceId, at);
    for (const workspaceId of [...this.#times.keys()].slice(0, -ERASED_MAX)) this.#times.delete(workspaceId);
    return added.length > 0;
  }

  has(workspaceId: string): boolean {
    return this.#times.has(workspaceId);
  }

  /** Returns those that were erased at a time or later. */
  list(since: number): ErasedTally[] {
    return [...this.#times].flatMap(([workspaceId, at]) => (at >= since ? [{ workspaceId, at }] : []));
  }

  /**
   * Returns an hour without the ids of erased workspaces, and without the origins that only they had. The counts stay: those
   * of such an origin join {@link OTHER_ORIGINS}.
   */
  without(hour: HourTally): HourTally {
    const workspaces = Object.fromEntries(
      Object.entries(hour.workspaces).map(([name, ids]) => [name, this.#living(ids)]),
    ) as NamedWorkspaces;
    const origins: Record<string, OriginTally> = {};
    for (const [origin, tally] of Object.entries(hour.origins)) {
      const living = this.#living(tally.workspaces);
      const isErased = living.length === 0 && tally.workspaces.length > 0;
      const name = isErased ? OTHER_ORIGINS : origin;
      const { accepted, held, workspaces: named } = origins[name] ?? { accepted: 0, held: 0, workspaces: [] };
      origins[name] = {
        accepted: accepted + tally.accepted,
        held: held + tally.held,
        workspaces: [...named, ...living],
      };
    }
    return { ...hour, workspaces, origins };
  }

  #living(workspaceIds: readonly string[]): string[] {
    return workspaceIds.filter((workspaceId) => !this.has(workspaceId));
  }
}
