import type { CommandContext, Outcome } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import { STANDARD_OUTPUT, writeWhole } from '../output/write-whole.ts';
import { openProject } from '../project.ts';
import { Forwarder } from './forward.ts';
import { type CutLine, LineSplitter } from './lines.ts';

/** Messages that are answered at the same time. */
const UNDER_WAY_MAX = 8;

/** Serves the Model Context Protocol: one message in each line of standard input, one answer in each line of standard output. */
export async function serveMcp(context: CommandContext): Promise<Outcome> {
  const { access } = openProject(context, ['svc', 'doctor']);
  const forwarder = new Forwarder({ context, access });
  if (process.stdin.isTTY) context.progress.note('Waiting for messages of a client. Ctrl+D ends.');
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const line of linesOf(process.stdin, context.signal)) {
    if (typeof line === 'string' && line.trim() === '') continue;
    const answered = forwarder
      .forward(line)
      .then((answer) => {
        if (answer !== null) writeWhole(STANDARD_OUTPUT, `${answer}\n`);
      })
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(answered));
    underWay.add(answered);
    if (underWay.size >= UNDER_WAY_MAX) await Promise.race(underWay);
    if (failures.length > 0) break;
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
  context.signal.throwIfAborted();
  return { data: {}, isPrinted: false };
}

/** The lines of a stream, until it ends or the command is interrupted. Releases the stream, so that the process can end. */
async function* linesOf(input: NodeJS.ReadStream, signal: AbortSignal): AsyncGenerator<string | CutLine> {
  const splitter = new LineSplitter();
  const chunks = chunksOf(input);
  const interrupted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    for (let chunk = await next(); chunk !== null; chunk = await next()) yield* splitter.take(chunk);
    yield splitter.end();
  } finally {
    input.destroy();
  }

  function next(): Promise<Uint8Array | null> {
    return Promise.race([chunks(), interrupted]);
  }
}

/** Returns a function that resolves with the next bytes of a stream, or with null at its end. */
function chunksOf(input: NodeJS.ReadStream): () => Promise<Uint8Array | null> {
  const iterator = input[Symbol.asyncIterator]();
  return async () => {
    try {
      const { done, value } = await iterator.next();
      return done === true ? null : Buffer.from(value);
    } catch (cause) {
      throw new CommandFailure('Standard input cannot be read.', { code: 'input', exit: 'failed', cause });
    }
  };
}
