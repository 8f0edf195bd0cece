import { performance } from 'node:perf_hooks';
import { styleText } from 'node:util';

/** The stream that the demo writes to: standard output, or something like it. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Says how far a step has come. */
export type Report = (progress: string) => void;

export type Actor = 'server' | 'agent' | 'owner' | 'backend' | 'page';

/** A step with an unexpected result. The message is a sentence for the user of the demo. */
export class StepError extends Error {
  constructor(actor: Actor, action: string, cause: unknown) {
    const reason = cause instanceof Error ? messagesOf(cause) : String(cause);
    super(`The demo ended while the ${actor} ${action}: ${reason}`, { cause });
    this.name = 'StepError';
  }
}

const NUMBER_WIDTH = 3;
const ACTOR_WIDTH = 9;
const ACTION_WIDTH = 30;
const RESULT_WIDTH = 46;
const CELL_WIDTH_MAX = 56;
const TABLE_INDENT = ' '.repeat(NUMBER_WIDTH + 2);
const CLEAR_LINE = '\r\u001b[2K';

type Style = Parameters<typeof styleText>[0];

/** Writes the demo as one table that grows while it runs: a row a step, and a live line below it on a terminal. */
export class Screen {
  readonly #output: Output;
  #steps = 0;
  #milliseconds = 0;
  #notRun = 0;
  /** The last progress of a step. */
  #reported = '';

  constructor(output: Output) {
    this.#output = output;
  }

  title(text: string): void {
    this.line();
    this.line(this.#style('bold', text));
    this.line();
  }

  line(text = ''): void {
    this.#output.write(`${text}\n`);
  }

  /**
   * Runs one step and writes its row: who does what, what came of it, and how long it took.
   *
   * @param work returns what the row says came of it, beside the value that the next steps need
   * @throws {StepError} for whatever the step throws
   */
  async step<Value>(
    actor: Actor,
    action: string,
    work: (report: Report) => Promise<readonly [result: string, value: Value]>,
  ): Promise<Value> {
    const number = String(++this.#steps).padStart(NUMBER_WIDTH);
    const head = `${this.#style('dim', number)}  ${actor.padEnd(ACTOR_WIDTH)}${action.padEnd(ACTION_WIDTH)}`;
    const started = performance.now();
    this.#live(`${head}…`);
    try {
      const [result, value] = await work((progress) => this.#progress(head, progress));
      const milliseconds = performance.now() - started;
      this.#milliseconds += milliseconds;
      this.#endLive();
      this.line(`${head}${result.padEnd(RESULT_WIDTH)}${this.#style('dim', formatTime(milliseconds))}`);
      return value;
    } catch (error) {
      this.#endLive();
      throw new StepError(actor, action, error);
    }
  }

  /** Notes that a step could not run on this machine; its row says why. */
  leaveOut(): void {
    this.#notRun += 1;
  }

  /** False after a step that could not run. */
  get isComplete(): boolean {
    return this.#notRun === 0;
  }

  /** Writes the end of the story with the sum of all steps. */
  total(): void {
    const text = this.isComplete
      ? 'Everything held.'
      : `Everything else held. Not run: ${this.#notRun} of ${this.#steps} steps, as its row says.`;
    const indent = ' '.repeat(NUMBER_WIDTH + 2 + ACTOR_WIDTH);
    const sentence = text.padEnd(ACTION_WIDTH + RESULT_WIDTH);
    this.line(`${indent}${this.#style('bold', sentence + formatTime(this.#milliseconds))}`);
  }

  /** Writes rows under a heading, every column as wide as its longest cell; what is too long for a cell is cut. */
  table(heading: readonly string[], cells: readonly (readonly string[])[]): void {
    const rows = cells.map((row) => row.map(cut));
    const widths = heading.map((name, column) =>
      Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)),
    );
    const join = (row: readonly string[]): string =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd();
    this.line();
    this.line(TABLE_INDENT + this.#style('dim', join(heading)));
    for (const row of rows) this.line(TABLE_INDENT + join(row));
    this.line();
  }

  /** A terminal shows it in one line; elsewhere each change is a line. */
  #progress(head: string, text: string): void {
    const line = `${head}${text}`;
    if (this.#output.isTTY) this.#live(line);
    else if (line !== this.#reported) this.line(line);
    this.#reported = line;
  }

  #live(text: string): void {
    if (this.#output.isTTY) this.#output.write(CLEAR_LINE + text);
  }

  #endLive(): void {
    if (this.#output.isTTY) this.#output.write(CLEAR_LINE);
  }

  /** Only a terminal gets colours, and only without NO_COLOR. */
  #style(style: Style, text: string): string {
    const plain = this.#output.isTTY !== true || (process.env['NO_COLOR'] ?? '') !== '';
    return plain ? text : styleText(style, text, { validateStream: false });
  }
}

/** A bar of ten blocks. */
export function bar(done: number, total: number): string {
  const full = total === 0 ? 0 : Math.floor((done / total) * 10);
  return `${'█'.repeat(full)}${'░'.repeat(10 - full)}`;
}

function cut(text: string): string {
  return text.length <= CELL_WIDTH_MAX ? text : `${text.slice(0, CELL_WIDTH_MAX - 1)}…`;
}

/** The messages of an error and of what caused it, outermost first. */
function messagesOf(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${messagesOf(error.cause)}` : error.message;
}

function formatTime(milliseconds: number): string {
  return milliseconds < 1_000
    ? `${Math.round(milliseconds)} ms`.padStart(8)
    : `${(milliseconds / 1_000).toFixed(2)} s`.padStart(8);
}
