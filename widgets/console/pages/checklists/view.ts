import { COHORTS, type Cohort } from './funnel.ts';

/** The choices of a checklist's page, all in its address. */
export interface View {
  readonly revision: number;
  /** The revision to compare with; null: none. */
  readonly against: number | null;
  /** Null: both. */
  readonly cohort: Cohort | null;
}

/** Reads the choices. A value that names no revision or cohort means the latest one, the one before it, or both cohorts. */
export function viewOf(params: URLSearchParams, latest: number): View {
  const known = (name: string) => {
    const number = Number(params.get(name));
    return Number.isInteger(number) && number >= 1 && number <= latest ? number : null;
  };
  const revision = known('revision') ?? latest;
  const before = revision > 1 ? revision - 1 : null;
  const against = params.get('against') === 'none' ? null : (known('against') ?? before);
  return {
    revision,
    against: against === revision ? null : against,
    cohort: COHORTS.find((cohort) => cohort === params.get('cohort')) ?? null,
  };
}

/** The query of the address with some choices changed; null takes a choice away. */
export function viewQuery(
  params: URLSearchParams,
  changes: Readonly<Record<string, string | number | null>>,
): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, String(value));
  }
  return next.size === 0 ? '' : `?${next}`;
}
