import type { z } from 'zod';
import type { CommandTable, InputTable } from '../base/command.ts';
import type { HourlyCounts } from '../base/hourly-counts.ts';
import type { JsonObject } from '../base/json.ts';
import { type Limit, type LimitsSchema, limit } from '../base/limit.ts';
import type { MonthUse } from '../base/quota.ts';
import type { ProductCredential } from './credential.ts';
import type { Lifecycle, lifecycleCommands, Plan } from './lifecycle.ts';

/** A limit that differs between the plans. */
export type PlanLimit = Readonly<Record<Plan, Limit>>;

/** Declares a limit that differs between the plans, as {@link limit} does one that does not. */
export function planLimit(
  subject: string,
  { preview, free }: Readonly<Record<Plan, number>>,
  options?: { readonly least: number },
): PlanLimit {
  return { preview: limit(subject, preview, options), free: limit(subject, free, options) };
}

/** All that an operator may change: limits by plan, and limits by group. */
type AllLimits = {
  readonly plans: Readonly<Record<Plan, Readonly<Record<string, number>>>>;
} & Readonly<Record<string, object>>;

/** The root of a product's aggregate: it keeps what the workspace last said of itself. */
export interface ProductRoot extends JsonObject {
  readonly lifecycle: Lifecycle | null;
  /** The accepted events or requests by hour; absent before the first one. */
  readonly activity?: HourlyCounts | undefined;
}

/** The names of a root's members that count. */
type CountOf<Root> = { [Name in keyof Root]-?: Root[Name] extends number ? Name : never }[keyof Root];

/** The names of a root's members that count in a month. */
type MonthOf<Root> = {
  [Name in keyof Root]-?: MonthUse extends Root[Name] ? Name : never;
}[keyof Root];

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
  readonly description: string;
  readonly example: number;
}

/**
 * Everything that is known of a product of a workspace. Its aggregate is the installation, in a topic and a table
 * of the same name.
 */
export interface ProductDeclaration<
  Name extends string,
  OptIn extends boolean,
  Topic extends string,
  Commands extends CommandTable,
  Root extends ProductRoot,
  Group extends string,
  OwnLimits extends LimitsSchema,
  PlanLimits extends Readonly<Record<string, PlanLimit>>,
  UsedLimits extends z.ZodType<JsonObject>,
  Counter extends string,
  Result extends string,
  Work extends string,
  Credentials extends Readonly<Record<string, ProductCredential>>,
> {
  /** As it stands in opt-ins, capabilities and paths. */
  readonly name: Name;
  /** True if a workspace has it only if its creation names it; false if every workspace has it. */
  readonly optIn: OptIn;
  /** The product in a few words. */
  readonly title: string;
  /** The version marker of its documents. */
  readonly contractVersion: string;
  /** The topic of its commands, the table of its aggregates, and the folder of its code. */
  readonly topic: Topic;
  /** Of the first generation of the topic. */
  readonly partitions: number;
  /** Says in the drawing of topics what its commands are about. */
  readonly carries: string;
  readonly commands: Commands & CommandTable & typeof lifecycleCommands;
  readonly root: { readonly schema: z.ZodType<Root>; readonly empty: Root };
  /** Its topics of work items by name. */
  readonly works: Readonly<Record<Work, ProductWork>>;
  /** The members that count in a month, each with the member that counts ever: claiming begins a month with it. */
  readonly months: Readonly<Record<MonthOf<Root>, CountOf<Root>>>;
  /** The credentials that it adds, by the kind of caller. */
  readonly credentials: Credentials;
  /** Limits that hold for every plan: a group of `SVC_LIMITS_FILE`. */
  readonly limits: { readonly group: Group; readonly schema: OwnLimits };
  readonly planLimits: PlanLimits;
  /** The limits in the capabilities that are the same for every plan. */
  shownLimits(limits: z.infer<OwnLimits>): Readonly<Record<string, number>>;
  /** The used part of its limits, as answers show it. */
  readonly usedLimits: UsedLimits;
  /** The counts in the inventory of a workspace. */
  readonly counters: Readonly<Record<Counter, ProductCounter<CountOf<Root>>>>;
  /** The kind of verified result that a claim can rest on, and what it is in a few words. */
  readonly verifiedResult: { readonly kind: Result; readonly text: string };
  /** The commands with keys of clients that no erasure takes along, and the lifetime of what the commands make. */
  readonly transient: {
    readonly commands: readonly (keyof Commands & string)[];
    lifeMs(limits: z.infer<OwnLimits>): number;
  };
}

/** Declares a product. */
export function defineProduct<
  Name extends string,
  OptIn extends boolean,
  Topic extends string,
  Commands extends CommandTable,
  Root extends ProductRoot,
  Group extends string,
  OwnLimits extends LimitsSchema,
  PlanLimits extends Readonly<Record<string, PlanLimit>>,
  UsedLimits extends z.ZodType<JsonObject>,
  Counter extends string,
  Result extends string,
  Work extends string,
  Credentials extends Readonly<Record<string, ProductCredential>>,
>(
  declaration: ProductDeclaration<
    Name,
    OptIn,
    Topic,
    Commands,
    Root,
    Group,
    OwnLimits,
    PlanLimits,
    UsedLimits,
    Counter,
    Result,
    Work,
    Credentials
  >,
) {
  const { limits, planLimits } = declaration;
  const ownLimits = (all: AllLimits) => limits.schema.parse(all[limits.group]);
  return {
    ...declaration,
    /** The limits of a plan that the capabilities show. */
    limitsOf(plan: Plan, all: AllLimits): Record<string, number> {
      const ofPlan = Object.keys(planLimits).map((name) => [name, all.plans[plan][name]]);
      return { ...Object.fromEntries(ofPlan), ...declaration.shownLimits(ownLimits(all)) };
    },
    /** The lifetime, in milliseconds, of what the `transient` commands make. */
    transientMs: (all: AllLimits): number => declaration.transient.lifeMs(ownLimits(all)),
  };
}
