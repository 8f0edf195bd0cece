// Reads: aggregates of previews. Writes: nothing; it says which commands tidy up.
import type { z } from 'zod';
import { stateOf } from '../../../schemas/base/aggregate-root.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import type { Limits } from '../../../schemas/limits.ts';
import { lifecycleCommands } from '../../../schemas/workspaces/lifecycle.ts';
import type { ProductRoot } from '../../../schemas/workspaces/product.ts';
import type { CommandTopicName } from '../../../topics/catalogue.ts';
import type { AggregateRef, Row } from '../../../topics/ports/store.ts';
import type { ProcessorDependencies } from '../dependencies.ts';
import type { CommandEffect } from '../fold/fold.ts';
import type { Sweep } from './sweeper.ts';

/** Rows of one kind that are listed of a preview: many times what its limits allow. */
const LISTED_MAX = 1_000;

/** The part of a product's declaration that its sweep needs. */
interface SweptProduct {
  readonly topic: AggregateRef['table'] & CommandTopicName;
  readonly root: { readonly schema: z.ZodType<ProductRoot> };
}

/** Lists the rows of one kind of a preview. */
type ListRows = (kind: string) => Promise<Row[]>;

/**
 * A preview ends with everything in it. Nothing is due where a claim has lifted the end.
 *
 * @param tidy returns the commands that remove everything in a preview
 */
export function previewSweep(
  { topic, root: { schema } }: SweptProduct,
  { store, clock }: Pick<ProcessorDependencies, 'store' | 'clock'>,
  limits: Limits,
  tidy: (list: ListRows, installationId: string) => Promise<CommandEffect[]>,
): Sweep<typeof lifecycleCommands> {
  return {
    topic,
    commands: lifecycleCommands,
    name: 'previews',
    types: ['lifecycle'],
    delayMs: limits.workspace.previewMs,
    async due({ type, input }, installationId) {
      if (type !== 'lifecycle' || input.expiresAt === null) return [];
      const aggregate = { table: topic, id: installationId };
      const { root } = await store.read(aggregate, []);
      const state = root === null ? null : stateOf(root.document);
      const lifecycle = state === null ? null : readStored(schema, state).lifecycle;
      if (lifecycle === null || lifecycle.expiresAt === null || clock.now() < lifecycle.expiresAt) return [];
      return await tidy((kind) => store.list(aggregate, kind, { limit: LISTED_MAX }), installationId);
    },
  };
}
