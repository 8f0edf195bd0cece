import { describe, expect, it } from 'vitest';
import type { PartitionPlan } from '../validation/validate-partition.ts';
import { PlanTexts } from './plan-texts.ts';

const plan: PartitionPlan = {
  headerColumns: 1,
  fields: [{ key: 'name', type: 'text', required: true }],
  columns: [{ target: 'name', index: 0 }],
  schemaId: 'sch_abcdefghijklmnopqrstuvwx',
  schemaRevision: 1,
};

describe('PlanTexts', () => {
  it('gives the JSON of the plan, whatever was asked for before', () => {
    const texts = new PlanTexts();
    const plans: PartitionPlan[] = [
      plan,
      plan,
      { ...plan, headerColumns: 2 },
      { ...plan, schemaRevision: 2 },
      { ...plan, schemaId: 'sch_xxxxxxxxxxxxxxxxxxxxxxxx' },
      { ...plan, fields: [{ key: 'name', type: 'text', required: false }] },
      { ...plan, columns: [{ target: 'name', index: 1 }] },
      plan,
    ];
    for (const each of plans) expect(JSON.parse(texts.textOf(each))).toEqual(each);
    expect(texts.textOf({ ...plan })).toBe(texts.textOf(plan));
  });
});
