import type { Command } from '../../schemas/base/command.ts';
import type { Outcome } from '../../schemas/base/outcome.ts';
import type { LogRecord } from '../../topics/ports/log.ts';
import { NO_SPAN, type Span, type Tracer, traceMember } from '../../topics/ports/tracer.ts';

/** A command, and the span of what is done with its record. */
export interface TracedCommand {
  readonly command: Command;
  readonly span: Span;
}

/** Opens the span of a record. The follow-ups of the returned command continue its trace behind this span. */
export function traceRecord(
  tracer: Tracer | undefined,
  { topic, partition }: LogRecord,
  command: Command,
): TracedCommand {
  if (tracer === undefined) return { command, span: NO_SPAN };
  const span = tracer.start(`process ${topic}`, 'consumer', command.traceparent ?? null, {
    'messaging.operation.type': 'process',
    'messaging.destination.name': topic,
    'messaging.destination.partition.id': String(partition),
    'svc.command': command.type,
    'svc.request_id': command.requestId,
  });
  return { command: { ...command, ...traceMember(span) }, span };
}

/** Does a step that the commands of a batch share, with a span in the trace of each. */
export function inSpans<Result>(
  batch: readonly Pick<TracedCommand, 'span'>[],
  name: string,
  step: () => Promise<Result>,
): Promise<Result> {
  if (batch.every(({ span }) => span === NO_SPAN)) return step();
  return within(
    batch.map(({ span }) => span.child(name)),
    step,
  );
}

async function within<Result>(spans: readonly Span[], step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    for (const span of spans) span.fail();
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

/** Notes what a command led to: the kind of its outcome, and the code of a refusal. */
export function noteOutcome(span: Span, outcome: Outcome | null): void {
  if (span === NO_SPAN) return;
  span.set({ 'svc.outcome': outcome?.kind ?? 'late' });
  if (outcome?.kind === 'refused') span.set({ 'svc.refusal': outcome.refusal.code });
}
