import type { PartitionPlan } from '../validation/validate-partition.ts';

/** The JSON of plans, made once for the many partitions of a file that share one. */
export class PlanTexts {
  /** By an object that only the partitions of one file have in common; kept as long as that object is in use. */
  readonly #texts = new WeakMap<object, { readonly plan: PartitionPlan; readonly text: string }>();

  textOf(plan: PartitionPlan): string {
    const kept = this.#texts.get(plan.columns);
    if (kept !== undefined && isSame(kept.plan, plan)) return kept.text;
    const text = JSON.stringify(plan);
    this.#texts.set(plan.columns, { plan, text });
    return text;
  }
}

function isSame(one: PartitionPlan, other: PartitionPlan): boolean {
  return (
    one.columns === other.columns &&
    one.fields === other.fields &&
    one.headerColumns === other.headerColumns &&
    one.schemaId === other.schemaId &&
    one.schemaRevision === other.schemaRevision
  );
}
