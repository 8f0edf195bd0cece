import type { z } from 'zod';
import { utcMonth } from '../../../schemas/base/time.ts';
import type { Limits } from '../../../schemas/limits.ts';
import type { Lifecycle, lifecycleCommands } from '../../../schemas/workspaces/lifecycle.ts';
import type { ProductRoot } from '../../../schemas/workspaces/product.ts';
import type { CommandTopicName } from '../../../topics/catalogue.ts';
import { eraseMore } from '../sweeps/erasure.ts';
import type {
  AnyFold,
  AnyHandler,
  CommandHandler,
  CommandHandlers,
  Effect,
  FoldContext,
  FoldTypes,
} from './fold.ts';
import { commandTo, DONE_UNREMEMBERED } from './results.ts';

interface AnyProductTypes extends FoldTypes {
  readonly commands: typeof lifecycleCommands;
  readonly root: ProductRoot;
}

export interface ProductFoldTypes extends FoldTypes {
  readonly commands: FoldTypes['commands'] & typeof lifecycleCommands;
  readonly root: ProductRoot;
}

/** Returns the effects that remove what a row leads to. Of a row that cannot be read, only some members are known. */
type EraseEffects<Document> = (
  document: Partial<Document>,
  id: string,
  context: FoldContext,
) => readonly Effect[];

/** The part of a product's declaration that its fold needs. */
interface FoldedProduct<Types extends ProductFoldTypes> {
  readonly topic: CommandTopicName;
  readonly commands: Types['commands'];
  readonly root: { readonly schema: z.ZodType<Types['root']>; readonly empty: Types['root'] };
  readonly rows: { readonly [Kind in keyof Types['rows']]: z.ZodType<Types['rows'][Kind]> };
  readonly months: Readonly<Record<string, string>>;
}

interface ProductFold<Types extends ProductFoldTypes> {
  readonly limits: Limits;
  /** The private bytes and index entries that rows lead to, by kind of row. They go with the row. */
  readonly erases: { readonly [Kind in keyof Types['rows']]?: EraseEffects<Types['rows'][Kind]> };
  readonly handlers: Omit<CommandHandlers<Types>, keyof typeof lifecycleCommands>;
}

/** Declares the fold of a product. Its workspace's lifecycle and its erasure are the same for every product. */
export function defineProductFold<Types extends ProductFoldTypes>(
  product: FoldedProduct<Types>,
  { limits, erases, handlers }: ProductFold<Types>,
): AnyFold {
  const { topic, commands, root, rows } = product;
  const fold = {
    topic,
    commands,
    rootSchema: root.schema,
    rowSchemas: rows,
    emptyRoot: root.empty,
    limits,
    isErased,
    handlers: {
      lifecycle: lifecycleOf(product),
      'erase-rows': eraseRowsOf(topic, erases),
      ...mapValues(handlers as unknown as AnyFold['handlers'], learningLifecycle),
    },
  };
  return fold as unknown as AnyFold;
}

/**
 * Asks the workspace for its lifecycle where a command is refused without one. A workspace sends its lifecycle to the products of
 * its time, so a product that was added later meets workspaces that it knows nothing of.
 */
function learningLifecycle(handler: AnyHandler): AnyHandler {
  return {
    ...handler,
    fold(scope) {
      const result = handler.fold(scope);
      const { lifecycle } = scope.root as ProductRoot;
      if (lifecycle !== null || result.outcome.kind !== 'refused') return result;
      const ask = commandTo({
        topic: 'workspaces',
        key: scope.context.aggregate,
        type: 'send-lifecycle',
        input: {},
      });
      return { ...result, effects: [...(result.effects ?? []), ask] };
    },
  };
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function isErased({ lifecycle }: ProductRoot): boolean {
  return lifecycle?.state === 'erased';
}

/**
 * Stores the workspace's lifecycle record, unless the stored one is newer (ARCHITECTURE.md, rule 7). Of an erased
 * workspace only the mark is stored; further commands remove its rows. The first month of a claimed preview begins
 * with the use of the preview, so that the limits change and the counts stay.
 */
function lifecycleOf({
  topic,
  root: { empty },
  months,
}: Pick<FoldedProduct<ProductFoldTypes>, 'topic' | 'root' | 'months'>): CommandHandler<
  AnyProductTypes,
  'lifecycle'
> {
  const erased = (input: Lifecycle, { aggregate }: FoldContext) => ({
    ...DONE_UNREMEMBERED,
    root: { ...empty, lifecycle: input },
    effects: [eraseMore(topic, aggregate)],
  });
  return {
    foldUnreadable: ({ input, context }) => (input.state === 'erased' ? erased(input, context) : null),
    fold({ root, input, context }) {
      const known = root.lifecycle;
      if (known !== null && input.version <= known.version) return DONE_UNREMEMBERED;
      if (input.state === 'erased') return erased(input, context);
      const isClaimed = known?.plan === 'preview' && input.plan !== 'preview';
      const begun = Object.entries(isClaimed ? months : {}).map(([month, total]) => [
        month,
        { month: utcMonth(context.now), made: root[total] },
      ]);
      return { ...DONE_UNREMEMBERED, root: { ...root, ...Object.fromEntries(begun), lifecycle: input } };
    },
  };
}

/** Removes rows of an erased workspace, with the private bytes and the index entries that they lead to. */
function eraseRowsOf(topic: CommandTopicName, erases: object): CommandHandler<AnyProductTypes, 'erase-rows'> {
  const byKind = new Map<string, EraseEffects<object>>(Object.entries(erases));
  return {
    reads: ({ input: { rows } }) => rows.filter(({ kind }) => byKind.has(kind)),
    admitsUnreadable: [...byKind.keys()],
    fold({ row, salvaged, root, input, context }) {
      if (!isErased(root)) throw new Error(`removing rows of ${topic} that were not erased`);
      const effects = input.rows.flatMap(({ kind, id }) => {
        const erase = byKind.get(kind);
        const document = erase === undefined ? null : (row(kind, id) ?? salvaged(kind, id));
        return document === null ? [] : (erase?.(document, id, context) ?? []);
      });
      return { ...DONE_UNREMEMBERED, erase: input.rows, effects };
    },
  };
}
