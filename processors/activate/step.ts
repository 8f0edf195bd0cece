import type { ActivateCommand, ActivateCommandOf } from '../../schemas/activate/commands.ts';
import type {
  ActivateRoot,
  ActivateRows,
  RevisionDocument,
  SubjectCohort,
  SummaryDocument,
} from '../../schemas/activate/documents.ts';
import { revisionRowId, summaryRowId } from '../../schemas/activate/documents.ts';
import { emptySummary } from '../../schemas/activate/progress.ts';
import type { Actor } from '../../schemas/base/command.ts';
import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { FoldContext, FoldResult, PartialView, RowChange, View } from '../runtime/fold.ts';

export type ActivateResult = FoldResult<ActivateRoot, ActivateRows>;
export type ActivateChange = RowChange<ActivateRows>;
export type ActivatePartialView = PartialView<ActivateRoot, ActivateRows>;

type CommandType = ActivateCommand['type'];
export type InputOf<Type extends CommandType> = ActivateCommandOf<Type>['input'];

/** Everything that folding one command may look at. */
export interface Scope<Input = unknown> {
  readonly view: View<ActivateRoot, ActivateRows>;
  readonly root: ActivateRoot;
  readonly input: Input;
  readonly actor: Actor;
  /** The id of the row that remembers this command's outcome, if it is remembered. */
  readonly outcomeId: string;
  readonly context: FoldContext;
  readonly limits: Limits;
}

/** How one type of command is folded. */
export interface Step<Type extends CommandType> {
  /** The rows it takes; asked again with what has been read. */
  reads(input: InputOf<Type>, view: ActivatePartialView): readonly RowKey[];
  fold(scope: Scope<InputOf<Type>>): ActivateResult;
}

/** The result of a command that nobody waits for and that may come again: nothing is remembered. */
export const DROPPED: ActivateResult = { outcome: { kind: 'done', result: {} }, remember: false };

export type Alive = { readonly lifecycle: Lifecycle } | { readonly refused: Refusal };

/**
 * The workspace's copy, unless the workspace refuses what is asked. The gateway has looked at the workspace itself; this
 * catches what changed on the way.
 */
export function aliveWorkspace({ root, context }: Scope, whenPaused: 'refused' | 'allowed'): Alive {
  const { lifecycle } = root;
  if (lifecycle === null) return { refused: NOT_YET_KNOWN };
  const refused = workspaceRefusal(lifecycle, context.now, whenPaused);
  return refused === null ? { lifecycle } : { refused };
}

/** The same for what is about a subject: a real one takes a claimed workspace (specification 5.2). */
export function aliveForSubject(scope: Scope<{ readonly cohort: SubjectCohort }>): Alive {
  const alive = aliveWorkspace(scope, 'refused');
  if ('refused' in alive) return alive;
  const needsClaim = scope.input.cohort === 'live' && alive.lifecycle.plan === 'preview';
  return needsClaim ? { refused: CLAIM_REQUIRED } : alive;
}

export const NOT_YET_KNOWN = refusal(
  'unavailable',
  'The workspace is being set up. Send the same request again.',
  1,
);

const CLAIM_REQUIRED = refusal('claim_required', {
  at: 'body.cohort',
  seen: 'live in a preview',
  expected: 'test or a claimed workspace; a preview knows synthetic subjects only',
});

export const NO_CHECKLIST = refusal('not_found', {
  at: 'path.checklistId',
  seen: 'the id of no checklist',
  expected: 'the id of a checklist of this workspace',
});

/** What the enrollments of one revision and cohort are measured by and counted in. */
export interface Measure {
  readonly configuration: RevisionDocument['configuration'];
  readonly summary: SummaryDocument;
  /** The change that stores another summary. */
  change(summary: SummaryDocument): ActivateChange;
}

/** The rows that {@link measureOf} takes. */
export function measureRows(checklistId: string, revision: number, cohort: SubjectCohort): RowKey[] {
  return [
    { kind: 'revision', id: revisionRowId(checklistId, revision) },
    { kind: 'summary', id: summaryRowId(checklistId, revision, cohort) },
  ];
}

export function measureOf(
  { view }: Scope,
  checklistId: string,
  revision: number,
  cohort: SubjectCohort,
): Measure {
  const stored = view.row('revision', revisionRowId(checklistId, revision));
  if (stored === null) throw new Error('reading a revision of a checklist that is not there');
  const { configuration } = stored;
  const id = summaryRowId(checklistId, revision, cohort);
  return {
    configuration,
    summary: view.row('summary', id) ?? emptySummary(configuration),
    change: (document) => ({ kind: 'summary', id, document }),
  };
}
