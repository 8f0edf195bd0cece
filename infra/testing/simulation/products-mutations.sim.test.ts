import { describe, expect, it } from 'vitest';
import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import type { AnyHandler, AnyResult, AnyScope } from '../../../processors/runtime/fold/fold.ts';
import { envelopeSchema } from '../../../schemas/base/command.ts';
import { mappingDocumentSchema } from '../../../schemas/imports/documents.ts';
import { mappingRowId } from '../../../schemas/imports/row-ids.ts';
import { CLAIMS_ROW } from '../../../schemas/organizations/documents.ts';
import type { CommandTopicName } from '../../../topics/catalogue.ts';
import type { NewRecord } from '../../../topics/ports/log.ts';
import type { Emphasis } from './conditions.fixture.ts';
import { appending, type Folding, foldingWith } from './mutating.fixture.ts';
import { type ProductMutation, simulateProducts } from './simulate-products.fixture.ts';

/** One rule of ARCHITECTURE.md, broken in one way where a product keeps it. */
interface Broken {
  readonly rule: number;
  readonly what: string;
  readonly mutation: ProductMutation;
  /** The fault that a seed needs often enough. */
  readonly under?: Emphasis;
}

const LATE: Emphasis = { appendsLate: 0.2 };
const LOST: Emphasis = { appendsLost: 0.1 };

const BROKEN: readonly Broken[] = [
  {
    rule: 2,
    what: 'commands to an erased workspace are remembered',
    mutation: { fold: (fold) => ({ ...fold, isErased: () => false }) },
  },
  {
    rule: 5,
    what: 'a notice that comes again counts again',
    mutation: changing('organizations', forgetful),
    under: LATE,
  },
  {
    rule: 7,
    what: 'an older lifecycle replaces a newer one',
    mutation: changing('imports', credulous),
    under: LATE,
  },
  { rule: 7, what: 'a claim reserves no place', mutation: changing('organizations', withoutReserving) },
  { rule: 8, what: 'items do not wait for the reports of work', mutation: { engines: hasty }, under: LOST },
  {
    rule: 9,
    what: 'a mapping that comes again takes away the bytes of the accepted one',
    mutation: changing('imports', rapacious),
    under: LATE,
  },
  { rule: 9, what: 'the bytes of what is erased stay', mutation: { engines: retentive } },
];

/** Runs within which whatever breaks a rule has to be seen. */
const RUNS_MAX = 200;

describe('the simulation of all products sees it when', () => {
  it.each(BROKEN)('$what (rule $rule)', async ({ mutation, under }) => {
    for (let seed = 1; seed <= RUNS_MAX; seed += 1) {
      const { violations } = await simulateProducts(seed, mutation, under);
      if (violations.length > 0) return;
    }
    expect.fail('a rule was broken and nothing was seen');
  });
});

function changing(topic: CommandTopicName, folding: Folding): ProductMutation {
  return { fold: (fold) => (fold.topic === topic ? foldingWith(fold, folding) : fold) };
}

/** Remembers no follow-up, so that each is folded as often as it arrives. */
function forgetful(scope: AnyScope, handled: AnyHandler['fold']): AnyResult {
  const result = handled(scope);
  return scope.envelope.keyFrom === 'command' ? { ...result, remember: false } : result;
}

/** Takes each lifecycle for the newest. */
function credulous(scope: AnyScope, handled: AnyHandler['fold']): AnyResult {
  if (scope.envelope.type !== 'lifecycle') return handled(scope);
  const version = 1_000_000 + scope.context.sequence;
  return handled({ ...scope, input: { ...(scope.input as object), version } });
}

/** Lets a workspace be claimed without a place for it. */
function withoutReserving(scope: AnyScope, handled: AnyHandler['fold']): AnyResult {
  const { put = [], ...result } = handled(scope);
  const isReserved = (kind: string) => scope.envelope.type === 'claim' && kind === CLAIMS_ROW.kind;
  return { ...result, put: put.filter(({ kind }) => !isReserved(kind)) };
}

/** Removes the blob of the accepted mapping instead of the one that came with a repeat. */
function rapacious(scope: AnyScope, handled: AnyHandler['fold']): AnyResult {
  const result = handled(scope);
  if (scope.envelope.type !== 'map-import') return result;
  const { importId, revision } = scope.input as { importId: string; revision: number };
  const current = scope.row('mapping', mappingRowId(importId, revision));
  const name = mappingDocumentSchema.safeParse(current).data?.blob;
  return {
    ...result,
    effects: (result.effects ?? []).map((effect) =>
      effect.kind === 'remove-blob' && name !== undefined
        ? { ...effect, address: { ...effect.address, name } }
        : effect,
    ),
  };
}

const REPORTS = ['split-finished', 'split-failed', 'partition-validated'];

function hasty(engines: ProcessorDependencies): ProcessorDependencies {
  const isReport = ({ value }: NewRecord) => REPORTS.includes(envelopeSchema.parse(JSON.parse(value)).type);
  return appending(engines, async (records) => {
    const appended = engines.log.append(records);
    if (records.some(isReport)) appended.catch(() => undefined);
    else await appended;
  });
}

function retentive(engines: ProcessorDependencies): ProcessorDependencies {
  return { ...engines, blobs: { ...engines.blobs, removeGroup: async () => {} } };
}
