import { type Fault, type Refusal, refusal } from '../base/errors.ts';
import { countHour } from '../base/hourly-counts.ts';
import type { JsonObject } from '../base/json.ts';
import { type Limit, limit } from '../base/limit.ts';
import {
  chargeMonth,
  lifetimeQuota,
  type MonthUse,
  monthlyQuota,
  type Quota,
  quotaAnswer,
  refundMonth,
} from '../base/quota.ts';
import { SECOND_MS } from '../base/time.ts';
import type { Plan } from './lifecycle.ts';

/** The counts of the use of a limit in the root of a product. */
export interface PlanQuota<Ever = string, InMonth = string> {
  /** Names the quota in refusals. */
  readonly at: Fault['at'];
  /** The member of the root that counts ever. */
  readonly ever: Ever;
  /**
   * The member that counts the UTC calendar month of a claimed workspace, which then is what the limit bounds; absent if it bounds
   * the whole life. Claiming begins a month with the count of `ever`.
   */
  readonly inMonth?: InMonth;
  /** Its member in the limits that answers show; absent: they do not show it. */
  readonly shownAs?: string;
  /** True if its uses are the activity of the workspace, which is counted by the hour. */
  readonly isActivity?: true;
}

/** A limit that differs between the plans. */
export interface PlanLimit<Ever = string, InMonth = string> extends Readonly<Record<Plan, Limit>> {
  /** Absent: it bounds a size or a duration, which nothing uses up. */
  readonly quota?: PlanQuota<Ever, InMonth>;
}

/** Declares a limit that differs between the plans, as {@link limit} does one that does not. */
export function planLimit(
  subject: string,
  { preview, free }: Readonly<Record<Plan, number>>,
  options?: { readonly least: number },
): Readonly<Record<Plan, Limit>> {
  return { preview: limit(subject, preview, options), free: limit(subject, free, options) };
}

/** Declares a limit whose use the root counts. 0 allows none. */
export function planQuota<const Counted extends PlanQuota>(
  subject: string,
  numbers: Readonly<Record<Plan, number>>,
  quota: Counted,
) {
  return { ...planLimit(subject, numbers, { least: 0 }), quota };
}

/** The limits of the plans in force. */
export interface PlanLimits {
  readonly plans: Readonly<Record<Plan, Readonly<Record<string, number>>>>;
}

/** The state that a quota is computed from; the scope of a command handler is one. */
export interface QuotaScope<Root> {
  readonly root: Root;
  readonly limits: PlanLimits;
  /** Unix milliseconds. */
  readonly context: { readonly now: number };
}

/** Returns the quotas of a product as its limits declare them. */
export function productQuotas<Root extends JsonObject, Name extends string>(
  planLimits: Readonly<Record<string, PlanLimit>>,
) {
  function declared(name: string): PlanQuota {
    const quota = planLimits[name]?.quota;
    if (quota === undefined) throw new Error(`reading the unknown quota ${name}`);
    return quota;
  }

  function read(name: string, { root, limits, context: { now } }: QuotaScope<JsonObject>, plan: Plan): Quota {
    const { ever, inMonth } = declared(name);
    const limit = limits.plans[plan][name] ?? 0;
    return plan === 'preview' || inMonth === undefined
      ? lifetimeQuota(limit, root[ever] as number)
      : monthlyQuota(limit, root[inMonth] as MonthUse, now);
  }

  /** Waiting helps only where the count begins again. */
  function refuse(name: string, quota: Quota, now: number): Refusal {
    const { limit, used, resetsAt } = quota;
    const fault = { at: declared(name).at, seen: `${used} of ${limit} used` };
    if (resetsAt === null) {
      return refusal('limit_reached', {
        ...fault,
        expected: `a free one; the plan allows ${limit} in total`,
      });
    }
    const seconds = Math.ceil((resetsAt - now) / SECOND_MS);
    const expected = `a free one; the plan allows ${limit} a calendar month (UTC)`;
    return refusal('limit_reached', { ...fault, expected }, seconds);
  }

  return {
    /** The members that count in a month, each with the member that counts ever. */
    months: Object.fromEntries(
      Object.values(planLimits).flatMap(({ quota }) =>
        quota?.inMonth === undefined ? [] : [[quota.inMonth, quota.ever]],
      ),
    ),
    /** Returns a quota: of the whole life of a preview, and of the month of a claimed workspace if the limit is for each month. */
    quotaOf: (name: Name, scope: QuotaScope<Root>, plan: Plan): Quota => read(name, scope, plan),
    /**
     * Returns the refusal of one more unit of a used-up quota, or null while there is one left. It names the time to wait only
     * where waiting helps.
     */
    quotaRefusal(name: Name, scope: QuotaScope<Root>, plan: Plan): Refusal | null {
      const quota = read(name, scope, plan);
      return quota.remaining > 0 ? null : refuse(name, quota, scope.context.now);
    },
    /** Returns the refusal that a used-up quota gets, whatever is left of this one. */
    fullRefusal(name: Name, scope: QuotaScope<Root>, plan: Plan): Refusal {
      const quota = read(name, scope, plan);
      return refuse(name, { ...quota, used: quota.limit }, scope.context.now);
    },
    /** Returns the root with one more use of a quota. A preview counts no months. */
    charge(name: Name, root: Root, plan: Plan, now: number): Root {
      const { ever, inMonth, isActivity } = declared(name);
      return {
        ...root,
        [ever]: (root[ever] as number) + 1,
        ...(inMonth !== undefined &&
          plan !== 'preview' && { [inMonth]: chargeMonth(root[inMonth] as MonthUse, now) }),
        ...(isActivity === true && {
          activity: countHour(root['activity'] as Parameters<typeof countHour>[0], now),
        }),
      };
    },
    /**
     * Returns the root without a use of a quota. A month that has passed keeps it, and so does the activity.
     *
     * @param chargedAt Unix milliseconds
     */
    refund(name: Name, root: Root, chargedAt: number): Root {
      const { ever, inMonth } = declared(name);
      return {
        ...root,
        [ever]: Math.max(0, (root[ever] as number) - 1),
        ...(inMonth !== undefined && { [inMonth]: refundMonth(root[inMonth] as MonthUse, chargedAt) }),
      };
    },
    /** Returns the quotas that answers show, in their form. */
    shownQuotas(scope: QuotaScope<JsonObject>, plan: Plan): JsonObject {
      const shown = Object.entries(planLimits).flatMap(([name, { quota }]) =>
        quota?.shownAs === undefined ? [] : [[quota.shownAs, quotaAnswer(read(name, scope, plan))]],
      );
      return Object.fromEntries(shown);
    },
  };
}
