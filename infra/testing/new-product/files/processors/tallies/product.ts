import { refusal } from '../../schemas/base/errors.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import {
  type TalliesRoot,
  type TallyRow,
  type tallyCommands,
  tallyProduct,
  tallyRemovals,
} from '../../schemas/tallies/product.ts';
import { aliveWorkspace } from '../runtime/fold/alive-workspace.ts';
import type { Effect } from '../runtime/fold/fold.ts';
import type { ProcessorProduct } from '../runtime/fold/product.ts';
import { defineProductFold, type ProductFoldTypes } from '../runtime/fold/product-fold.ts';
import { commandTo, DONE, refused } from '../runtime/fold/results.ts';
import { defineWork } from '../runtime/work/work-handler.ts';

interface TalliesFold extends ProductFoldTypes {
  readonly commands: typeof tallyCommands;
  readonly root: TalliesRoot;
  readonly rows: { readonly tally: TallyRow };
}

const MISSING = refusal('not_found', { at: 'body.tally', seen: 'no tally', expected: 'a tally' });
const reads = ({ input: { tally } }: { readonly input: { readonly tally: string } }) => [
  { kind: 'tally', id: tally },
];

function indexEntry(digest: string, target: JsonObject | null): Effect {
  return { kind: 'index', entry: { kind: 'tally-key', digest, target, expiresAt: null } };
}

const remover = defineWork({
  topic: 'tally-removals',
  items: tallyRemovals,
  itemsAtOnce: 1,
  attemptsMax: 3,
  handle: async ({ input: { installationId, tally } }) =>
    commandTo({ topic: 'tallies', key: installationId, type: 'remove-tally', input: { tally } }),
  failed: () => null,
});

/** Tallies. */
export const talliesProcessors: ProcessorProduct = {
  createFold: (limits) =>
    defineProductFold<TalliesFold>(tallyProduct, {
      limits,
      erases: { tally: ({ digest }) => (digest === undefined ? [] : [indexEntry(digest, null)]) },
      handlers: {
        'create-tally': {
          reads,
          fold(scope) {
            const {
              root,
              row,
              input: { tally, digest },
              context,
            } = scope;
            if (row('tally', tally) !== null) return DONE;
            const alive = aliveWorkspace(scope, 'allowed');
            if ('refused' in alive) return refused(alive.refused);
            const { plan } = alive.lifecycle;
            const full = tallyProduct.quotaRefusal('tallies', scope, plan);
            if (full !== null) return refused(full);
            return {
              ...DONE,
              root: tallyProduct.charge('tallies', root, plan, context.now),
              put: [{ kind: 'tally', id: tally, document: { counted: 0, digest } }],
              effects: [indexEntry(digest, { installationId: context.aggregate, tally })],
            };
          },
        },
        'count-tally': {
          reads,
          fold({ root: known, row, input: { tally }, context }) {
            const found = row('tally', tally);
            if (found === null) return refused(MISSING);
            const counted = found.counted + 1;
            return {
              outcome: { kind: 'done', result: { counted } },
              root: { ...known, lastCount: { tally, at: context.now } },
              put: [{ kind: 'tally', id: tally, document: { ...found, counted } }],
            };
          },
        },
        'erase-tally': {
          reads,
          fold({ row, input: { tally }, context: { aggregate: installationId } }) {
            if (row('tally', tally) === null) return refused(MISSING);
            const input = { installationId, tally };
            const item = { topic: 'tally-removals', key: tally, type: 'remove', input } as const;
            return { ...DONE, effects: [{ kind: 'command', ...item }] };
          },
        },
        'remove-tally': {
          reads,
          fold({ row, input: { tally } }) {
            const found = row('tally', tally);
            if (found === null) return DONE;
            return {
              ...DONE,
              remove: [{ kind: 'tally', id: tally }],
              effects: [indexEntry(found.digest, null)],
            };
          },
        },
      },
    }),
  sweeps: () => [],
  startWork: () => ({ works: [remover], close: async () => {} }),
};
