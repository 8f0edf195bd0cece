import type { z } from 'zod';
import type { CommandOf, CommandTable } from '../../schemas/base/command.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { CommandTopicName } from '../../topics/catalogue.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type {
  AnyFold,
  AnyHandler,
  AnyScope,
  FoldContext,
  FoldResult,
  PartialView,
  RowDocuments,
} from './fold.ts';

// Adapter for products whose folds still switch over the types of commands.

/** The root of the aggregate and its rows. */
export interface View<Root, Rows extends RowDocuments> {
  readonly root: Root | null;
  row<Kind extends keyof Rows & string>(kind: Kind, id: string): Rows[Kind] | null;
}

export interface PlainFoldResult<Root, Rows extends RowDocuments>
  extends FoldResult<{
    commands: Record<string, { input: z.ZodType; result: z.ZodType<JsonObject> }>;
    root: (Root & JsonObject) | null;
    rows: Rows;
  }> {}

interface SwitchingFold<Root, Rows extends RowDocuments, Commands extends CommandTable> {
  readonly topic: CommandTopicName;
  readonly commands: Commands;
  readonly limits: Limits;
  readonly rootSchema: z.ZodType<Root>;
  readonly rowSchemas: { readonly [Kind in keyof Rows]: z.ZodType<Rows[Kind]> };
  isErased?(root: Root): boolean;
  reads(command: CommandOf<Commands>, view: PartialView<Root, Rows>): readonly RowKey[];
  fold(
    view: View<Root, Rows>,
    command: CommandOf<Commands>,
    context: FoldContext,
  ): PlainFoldResult<Root, Rows>;
  replay?(
    view: View<Root, Rows>,
    command: CommandOf<Commands>,
    context: FoldContext,
    stored: JsonObject,
  ): PlainFoldResult<Root, Rows> | null;
}

/** Declares a fold that switches over the types of commands, and erases its types. */
export function defineSwitchingFold<Root, Rows extends RowDocuments, Commands extends CommandTable>(
  definition: SwitchingFold<Root, Rows, Commands>,
): AnyFold {
  const { topic, commands, limits, rootSchema, rowSchemas, isErased, reads, fold, replay } =
    definition as unknown as SwitchingFold<JsonObject, RowDocuments, CommandTable>;
  const commandOf = ({ envelope, input, actor }: AnyScope) => ({ ...envelope, input, actor });
  const handler: AnyHandler = {
    reads: (command, view) => reads(command, view),
    fold: (scope) => fold(scope, commandOf(scope), scope.context),
  };
  const replaying: AnyHandler = {
    ...handler,
    replay: (scope, stored) => replay?.(scope, commandOf(scope), scope.context, stored) ?? null,
  };
  const handlers = Object.fromEntries(
    Object.entries(commands).map(([type, { decidedAnew }]) => [type, decidedAnew ? replaying : handler]),
  );
  const own = { topic, commands, rootSchema, rowSchemas, limits, handlers };
  return isErased === undefined ? own : { ...own, isErased };
}
