import { z } from 'zod';
import type { CommandDeclaration, CommandTable } from '../base/command.ts';
import type { eraseRowsSchema } from '../base/erasure.ts';
import type { JsonObject } from '../base/json.ts';
import type { Lifecycle, lifecycleSchema, Plan } from './lifecycle.ts';

/** Numeric limits by name. */
type LimitsSchema = z.ZodObject<Readonly<Record<string, z.ZodType<number>>>>;

/** All that an operator may change: limits by plan, and limits by group. */
type AllLimits = { readonly plans: Readonly<Record<Plan, object>> } & Readonly<Record<string, object>>;

/** The commands that a workspace and its erasure send to every product (ARCHITECTURE.md, rule 7). */
interface WorkspaceCommands extends CommandTable {
  /** The workspace's current lifecycle. */
  readonly lifecycle: CommandDeclaration & { readonly input: typeof lifecycleSchema };
  /** Rows of an erased installation that go. */
  readonly 'erase-rows': CommandDeclaration & { readonly input: typeof eraseRowsSchema };
}

/** The root of a product's aggregate: it keeps what the workspace last said of itself. */
interface ProductRoot extends JsonObject {
  readonly lifecycle: Lifecycle | null;
}

/** The names of a root's members that count. */
type CountOf<Root> = { [Name in keyof Root]-?: Root[Name] extends number ? Name : never }[keyof Root];

/** A count in the inventory of a workspace. */
interface ProductCounter<Member> {
  /** The member of the root that has it. */
  readonly member: Member;
  readonly description: string;
  readonly example: number;
}

/**
 * Everything that is known of a product which a workspace opts into. Its aggregate is the installation, in a topic and a table
 * of the same name.
 */
export interface ProductDeclaration<
  Name extends string,
  Topic extends string,
  Commands extends CommandTable,
  Root extends ProductRoot,
  Group extends string,
  OwnLimits extends LimitsSchema,
  PlanLimits extends LimitsSchema,
  UsedLimits extends z.ZodType<JsonObject>,
  Counter extends string,
  Result extends string,
> {
  /** As it stands in opt-ins, capabilities and paths. */
  readonly name: Name;
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
  readonly commands: Commands & WorkspaceCommands;
  readonly root: { readonly schema: z.ZodType<Root>; readonly empty: Root };
  /** Limits that hold for every plan: a group of `SVC_LIMITS_FILE`. */
  readonly limits: {
    readonly group: Group;
    readonly schema: OwnLimits;
    readonly defaults: z.infer<OwnLimits>;
  };
  /** Limits that differ between plans. */
  readonly planLimits: {
    readonly schema: PlanLimits;
    readonly defaults: Readonly<Record<Plan, z.infer<PlanLimits>>>;
  };
  /** The limits in the capabilities that are the same for every plan. */
  shownLimits(limits: z.infer<OwnLimits>): Readonly<Record<string, number>>;
  /** The used part of its limits, as answers show it. */
  readonly usedLimits: UsedLimits;
  /** The counts in the inventory of a workspace. */
  readonly counters: Readonly<Record<Counter, ProductCounter<CountOf<Root>>>>;
  /** The kind of verified result that a claim can rest on. */
  readonly verifiedResult: Result;
  /** The commands with keys of clients that no erasure takes along, and the lifetime of what the commands make. */
  readonly passing: {
    readonly commands: readonly (keyof Commands & string)[];
    lifeMs(limits: z.infer<OwnLimits>): number;
  };
}

/** Declares a product. */
export function defineProduct<
  Name extends string,
  Topic extends string,
  Commands extends CommandTable,
  Root extends ProductRoot,
  Group extends string,
  OwnLimits extends LimitsSchema,
  PlanLimits extends LimitsSchema,
  UsedLimits extends z.ZodType<JsonObject>,
  Counter extends string,
  Result extends string,
>(
  declaration: ProductDeclaration<
    Name,
    Topic,
    Commands,
    Root,
    Group,
    OwnLimits,
    PlanLimits,
    UsedLimits,
    Counter,
    Result
  >,
) {
  const { limits, planLimits } = declaration;
  const ownLimits = (all: AllLimits) => limits.schema.parse(all[limits.group]);
  return {
    ...declaration,
    /** The limits of a plan that the capabilities show. */
    limitsOf(plan: Plan, all: AllLimits): Record<string, number> {
      const own = ownLimits(all);
      return { ...z.object(planLimits.schema.shape).parse(all.plans[plan]), ...declaration.shownLimits(own) };
    },
    /** The lifetime, in milliseconds, of what the `passing` commands make. */
    passingMs: (all: AllLimits): number => declaration.passing.lifeMs(ownLimits(all)),
  };
}
