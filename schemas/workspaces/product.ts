import type { z } from 'zod';
import type { CommandTable, InputTable } from '../base/command.ts';
import type { HourlyCounts } from '../base/hourly-counts.ts';
import type { JsonObject } from '../base/json.ts';
import type { LimitsSchema } from '../base/limit.ts';
import type { MonthUse } from '../base/quota.ts';
import type { ProductCredential } from './credential.ts';
import type { Lifecycle, lifecycleCommands, Plan } from './lifecycle.ts';
import { type PlanLimit, type PlanLimits, productQuotas } from './product-quotas.ts';

/** All that an operator may change: limits by plan, and limits by group. */
type AllLimits = PlanLimits & Readonly<Record<string, object>>;

/** The root of a product's aggregate: it keeps what the workspace last said of itself. */
export interface ProductRoot extends JsonObject {
  readonly lifecycle: Lifecycle | null;
  /** The accepted events or requests by hour; absent before the first one. */
  readonly activity?: HourlyCounts | undefined;
}

/** The names of a root's members that count. */
type CountOf<Root> = { [Name in keyof Root]-?: Root[Name] extends number ? Name : never }[keyof Root] &
  string;

/** The names of a root's members that count in a month. */
type MonthOf<Root> = {
  [Name in keyof Root]-?: MonthUse extends Root[Name] ? Name : never;
}[keyof Root] &
  string;

/** A topic of work items, which workers of the product handle outside of its fold (ARCHITECTURE.md, rule 8). */
export interface ProductWork {
  /** The meaning of the record key. */
  readonly key: string;
  /** Of the first generation of the topic. */
  readonly partitions: number;
  readonly items: InputTable;
  readonly carries: string;
  /** The reader, as the drawing of topics names it below the folder of the product. */
  readonly reader: string;
  /** The role of the processes that handle it; absent: `workers`. */
  readonly role?: 'runner';
}

/** A count in the inventory of a workspace. */
export interface ProductCounter<Member = string> {
  /** The member of the root that has it. */
  readonly member: Member;
  /** Only for a count that its name does not explain. */
  readonly description?: string;
  readonly example: number;
}

/**
 * Everything that is known of a product of a workspace. Its aggregate is the installation, in a topic and a table
 * of the same name.
 */
interface ProductDeclaration<
  Commands extends CommandTable,
  Root extends ProductRoot,
  OwnLimits extends LimitsSchema,
> {
  /** As it stands in opt-ins, capabilities and paths. */
  readonly name: string;
  /** True if a workspace has it only if its creation names it; false if every workspace has it. */
  readonly optIn: boolean;
  /** The product in a few words. */
  readonly title: string;
  /** The version marker of its documents. */
  readonly contractVersion: string;
  /** The topic of its commands, the table of its aggregates, and the folder of its code. */
  readonly topic: string;
  /** Of the first generation of the topic. */
  readonly partitions: number;
  /** Says in the drawing of topics what its commands are about. */
  readonly carries: string;
  readonly commands: Commands & CommandTable & typeof lifecycleCommands;
  readonly root: { readonly schema: z.ZodType<Root>; readonly empty: Root };
  /** The schemas of the rows of its aggregate, by kind. */
  readonly rows: Readonly<Record<string, z.ZodType<JsonObject>>>;
  /** Its topics of work items by name. */
  readonly works: Readonly<Record<string, ProductWork>>;
  /** The credentials that it adds, by the kind of caller. */
  readonly credentials: Readonly<Record<string, ProductCredential>>;
  /** Limits that hold for every plan: a group of `SVC_LIMITS_FILE`. */
  readonly limits: { readonly group: string; readonly schema: OwnLimits };
  readonly planLimits: Readonly<Record<string, PlanLimit<CountOf<Root>, MonthOf<Root>>>>;
  /** The limits in the capabilities that are the same for every plan. */
  shownLimits(limits: z.infer<OwnLimits>): Readonly<Record<string, number>>;
  /** The used part of its limits, as answers show it. */
  readonly usedLimits: z.ZodType<JsonObject>;
  /** The counts in the inventory of a workspace. */
  readonly counters: Readonly<Record<string, ProductCounter<CountOf<Root>>>>;
  /** The kind of verified result that a claim can rest on, and what it is in a few words. */
  readonly verifiedResult: { readonly kind: string; readonly text: string };
  /** The commands with keys of clients that no erasure takes along, and the lifetime of what the commands make. */
  readonly transient: {
    readonly commands: readonly (keyof Commands & string)[];
    lifeMs(limits: z.infer<OwnLimits>): number;
  };
}

/** The names of the limits of plans whose use is counted. */
type QuotaName<Limits> = {
  [Name in keyof Limits]: Limits[Name] extends { readonly quota: object } ? Name : never;
}[keyof Limits] &
  string;

/** Declares a product. */
export function defineProduct<
  Commands extends CommandTable,
  Root extends ProductRoot,
  OwnLimits extends LimitsSchema,
  const Declared extends ProductDeclaration<Commands, Root, OwnLimits>,
>(declaration: Declared & ProductDeclaration<Commands, Root, OwnLimits>) {
  const { limits, planLimits } = declaration;
  const ownLimits = (all: AllLimits) => limits.schema.parse(all[limits.group]);
  return {
    ...(declaration as Declared),
    ...productQuotas<Root, QuotaName<Declared['planLimits']>>(planLimits),
    /** The limits of a plan that the capabilities show. */
    limitsOf(plan: Plan, all: AllLimits): Record<string, number> {
      const ofPlan = Object.keys(planLimits).map((name) => [name, all.plans[plan][name]]);
      return { ...Object.fromEntries(ofPlan), ...declaration.shownLimits(ownLimits(all)) };
    },
    /** The lifetime, in milliseconds, of what the `transient` commands make. */
    transientMs: (all: AllLimits): number => declaration.transient.lifeMs(ownLimits(all)),
  };
}
