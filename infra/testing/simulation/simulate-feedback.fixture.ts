import { createAuditFold } from '../../../processors/audit/fold.ts';
import { installationId } from '../../../processors/feedback/feedback-world.fixture.ts';
import { createFeedbackFold } from '../../../processors/feedback/fold.ts';
import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import type { AnyFold } from '../../../processors/runtime/fold/fold.ts';
import { runtimeRootSchema } from '../../../schemas/base/aggregate-root.ts';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { canonicalJson } from '../../../schemas/base/json.ts';
import { widgetGroup } from '../../../schemas/feedback/blobs.ts';
import {
  feedbackRootSchema,
  inboxRowId,
  submissionDocumentSchema,
  widgetDocumentSchema,
} from '../../../schemas/feedback/documents.ts';
import { mergeLimits } from '../../../schemas/limits.ts';
import { checkAnswered, checkRuntime } from './checks.fixture.ts';
import type { Clients } from './client.fixture.ts';
import { type Emphasis, TROUBLED_MS } from './conditions.fixture.ts';
import { drawFeedbackIntents, OTHER_WIDGET, WIDGET } from './feedback-intents.fixture.ts';
import { commandsOf, envelopeOf, refold } from './refold.fixture.ts';
import { type Play, type Run, runUnderFaults } from './run-under-faults.fixture.ts';
import type { World } from './world.fixture.ts';

/** Fewer submissions than visitors want to send. */
const LIMITS = mergeLimits({
  plans: { preview: { feedbackSubmissions: 6 }, free: { feedbackSubmissions: 12 } },
});

/** Returns another fold in place of the one of feedback; a mutation. */
export type ChangeFold = (fold: AnyFold) => AnyFold;

/** One run of a feedback widget under faults, which follows from its seed alone. */
export function simulateFeedback(
  seed: number,
  change: ChangeFold = (fold) => fold,
  emphasis?: Emphasis,
): Promise<Run> {
  const folds = [change(createFeedbackFold(LIMITS)), createAuditFold(LIMITS)];
  const play: Play = {
    programs: { subscriptions: (engines) => folds.map((fold) => foldSubscription(fold, engines)) },
    begin({ random, world, clients }) {
      for (const [index, intent] of drawFeedbackIntents(world).entries()) {
        // The first two make the widget; whatever comes after them comes in any order.
        const delayMs = index < 2 ? index : random.between(100, TROUBLED_MS);
        world.scheduler.after(delayMs, () => void clients.askUntilKnown(intent));
      }
    },
    check: async ({ world, clients }) => [
      ...checkFeedback(world, clients),
      ...checkRuntime(world, refold(commandsOf(world), folds)),
    ],
  };
  return runUnderFaults(seed, play, emphasis);
}

/** Clients know in the end; the inbox is what the submissions say; each has its content, and nothing else is left. */
function checkFeedback(world: World, clients: Clients): readonly string[] {
  const found = world.store.aggregates().find(({ ref }) => ref.table === 'feedback');
  const rows = (kind: string) => (found?.snapshot.rows ?? []).filter((row) => row.kind === kind);
  const stored = rows('submission').map(({ id, document }) => ({
    submissionId: id.split('/')[1] ?? '',
    ...submissionDocumentSchema.parse(document),
  }));
  const counts = { open: 0, done: 0, held: 0 };
  for (const { state } of stored) counts[state] += 1;
  // Visitors send to one of the two.
  const widget = rows('widget').find(({ id }) => id === WIDGET);
  const widgetIds = rows('widget').map(({ id }) => id);
  const reached = [WIDGET, OTHER_WIDGET].filter(
    (id) => world.digestIndex.entry({ kind: 'feedback-widget', digest: sha256Hex(id) })?.target != null,
  );
  const inbox = rows('inbox').map(({ id }) => id);
  const wanted = stored.map((each) => inboxRowId(WIDGET, each.submissionId, each));
  const violations = [...checkAnswered(world, clients)];
  if (canonicalJson([...widgetIds].sort()) !== canonicalJson(reached.sort())) {
    violations.push(`the widgets ${reached.join()} are reached, and ${widgetIds.join()} exist`);
  }
  const counted = widget === undefined ? counts : widgetDocumentSchema.parse(widget.document).counts;
  if (canonicalJson(counted) !== canonicalJson(counts)) {
    violations.push(`counts ${canonicalJson(counted)} instead of ${canonicalJson(counts)}`);
  }
  if (canonicalJson(inbox.sort()) !== canonicalJson(wanted.sort())) {
    violations.push(`the inbox lists ${inbox.join()} instead of ${wanted.join()}`);
  }
  const document = found?.snapshot.root?.document;
  const root = feedbackRootSchema
    .nullable()
    .parse(document === undefined ? null : runtimeRootSchema.parse(document).state);
  const made = root?.submissionsMade ?? 0;
  if (made < stored.length || made > LIMITS.plans.free.feedbackSubmissions) {
    violations.push(`${made} submissions are charged, and ${stored.length} are stored`);
  }
  return [...violations, ...checkContents(world, clients, new Set(stored.map(({ blob }) => blob)))];
}

/** Every submission has its content. Content of an answered request that no submission has is gone; other content expires. */
function checkContents(world: World, clients: Clients, wanted: ReadonlySet<string>): string[] {
  const names = new Set(world.blobs.names(widgetGroup(installationId, WIDGET)));
  const certain = new Set(
    clients.attempts
      .filter(({ observed }) => observed !== null && observed.kind !== 'unknown')
      .map(({ requestId }) => requestId),
  );
  const answered = world.log.records().flatMap((record) => {
    const { type, requestId, input } = envelopeOf(record);
    const { blob } = Object(input) as { readonly blob?: unknown };
    return type === 'receive-submission' && certain.has(String(requestId)) ? [String(blob)] : [];
  });
  return [
    ...[...wanted].filter((name) => !names.has(name)).map((name) => `the content ${name} is lost`),
    ...answered
      .filter((name) => names.has(name) && !wanted.has(name))
      .map((name) => `the content ${name} belongs to no submission`),
  ];
}
