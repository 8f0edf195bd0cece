import { refusal } from '../../schemas/base/errors.ts';
import {
  type TalliesRoot,
  type tallyCommands,
  tallyProduct,
  tallyRowSchemas,
} from '../../schemas/tallies/product.ts';
import { eraseMore } from '../runtime/erasure.ts';
import { defineFold, type FoldTypes } from '../runtime/fold.ts';
import type { ProcessorProduct } from '../runtime/product.ts';
import { DONE, DONE_UNREMEMBERED, refused } from '../runtime/results.ts';

interface TalliesFold extends FoldTypes {
  readonly commands: typeof tallyCommands;
  readonly root: TalliesRoot;
  readonly rows: { readonly tally: { readonly counted: number } };
}

const { root, commands } = tallyProduct;
const MISSING = refusal('not_found', { at: 'body.tally', seen: 'no tally', expected: 'a tally' });
const reads = ({ input: { tally } }: { readonly input: { readonly tally: string } }) => [
  { kind: 'tally', id: tally },
];

/** Tallies. */
export const processorProduct: ProcessorProduct = {
  createFold: (limits) =>
    defineFold<TalliesFold>({
      topic: 'tallies',
      commands,
      rootSchema: root.schema,
      rowSchemas: tallyRowSchemas,
      emptyRoot: root.empty,
      limits,
      isErased: ({ lifecycle }) => lifecycle?.state === 'erased',
      handlers: {
        lifecycle: {
          fold({ root: known, input, context }) {
            if (known.lifecycle !== null && input.version <= known.lifecycle.version)
              return DONE_UNREMEMBERED;
            if (input.state !== 'erased')
              return { ...DONE_UNREMEMBERED, root: { ...known, lifecycle: input } };
            const erased = { ...root.empty, lifecycle: input };
            return { ...DONE_UNREMEMBERED, root: erased, effects: [eraseMore('tallies', context.aggregate)] };
          },
        },
        'erase-rows': { fold: ({ input }) => ({ ...DONE_UNREMEMBERED, erase: input.rows }) },
        'create-tally': {
          reads,
          fold({ root: known, row, input: { tally } }) {
            if (row('tally', tally) !== null) return DONE;
            return {
              ...DONE,
              root: { ...known, talliesMade: known.talliesMade + 1 },
              put: [{ kind: 'tally', id: tally, document: { counted: 0 } }],
            };
          },
        },
        'count-tally': {
          reads,
          fold({ root: known, row, input: { tally }, context }) {
            const found = row('tally', tally);
            if (found === null) return refused(MISSING);
            const document = { counted: found.counted + 1 };
            return {
              outcome: { kind: 'done', result: document },
              root: { ...known, lastCount: { tally, at: context.now } },
              put: [{ kind: 'tally', id: tally, document }],
            };
          },
        },
        'erase-tally': {
          reads,
          fold: ({ row, input: { tally } }) =>
            row('tally', tally) === null
              ? refused(MISSING)
              : { ...DONE, remove: [{ kind: 'tally', id: tally }] },
        },
      },
    }),
  sweeps: () => [],
};
