import type { Outcome } from '../command.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import type { CommandFailure, Next } from '../failure.ts';
import { layOut, printable } from './blocks.ts';
import type { Progress } from './progress.ts';

interface PrinterOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly line: (command: Next) => string;
}

const ERASE_LINE = '\r\u001B[2K';
const RED = '\u001B[31m';
const PLAIN = '\u001B[39m';

/** A command that is typed again sends the same idempotency keys, or finds its work done. */
const UNKNOWN = 'It is not known whether it took effect. The same command finds out.';

/** Writes results to standard output; messages, progress and failures to standard error. */
export class Printer implements Progress {
  readonly #options: PrinterOptions;
  /** True if the last line of standard error is a state that the next line replaces. */
  #isUpdating = false;

  constructor(options: PrinterOptions) {
    this.#options = options;
  }

  result({ data, blocks, next, isPrinted }: Outcome): void {
    const { json, stdout, line } = this.#options;
    this.#endUpdate();
    if (isPrinted === false) return;
    const follows = next === undefined ? null : line(next);
    if (json) {
      stdout.write(`${JSON.stringify({ ...data, next: follows }, null, 2)}\n`);
      return;
    }
    if (blocks === undefined) stdout.write(`${String(data['text'])}\n`);
    const columns = stdout.isTTY === true ? stdout.columns : Number.POSITIVE_INFINITY;
    for (const [index, block] of (blocks ?? []).entries()) {
      const lines = layOut(block, columns);
      stdout.write(`${index === 0 ? '' : '\n'}${lines.map((text) => `${text}\n`).join('')}`);
    }
    if (follows !== null) this.note(`Next: ${follows}`);
  }

  /** @param command that helps next */
  failure(failure: CommandFailure, command: Next | null): void {
    const { json, stderr, line } = this.#options;
    this.#endUpdate();
    const { code, requestId, retryAfterSeconds, exit, findings } = failure;
    const message = failure.isUnknown ? `${failure.message} ${UNKNOWN}` : failure.message;
    const next = command === null ? null : line(command);
    if (json) {
      const found = findings.length > 0 && { findings };
      const error = {
        code,
        message,
        requestId,
        retryAfterSeconds,
        next,
        exitCode: EXIT_CODES[exit].code,
        ...found,
      };
      stderr.write(`${JSON.stringify({ error })}\n`);
      return;
    }
    stderr.write(`${this.#red('error')}: ${printable(`${message} (${code})`)}\n`);
    if (requestId !== null) stderr.write(`request: ${printable(requestId)}\n`);
    if (next !== null) stderr.write(`next: ${next}\n`);
  }

  update(text: string): void {
    const { stderr, quiet, json } = this.#options;
    if (quiet || json || !this.#isInteractive()) return;
    stderr.write(`${ERASE_LINE}${printable(text).slice(0, Math.max(0, stderr.columns - 1))}`);
    this.#isUpdating = true;
  }

  note(text: string): void {
    if (!this.#options.json) this.tell(text);
  }

  tell(text: string): void {
    const { stderr, quiet } = this.#options;
    if (quiet) return;
    this.#endUpdate();
    stderr.write(`${printable(text)}\n`);
  }

  #endUpdate(): void {
    if (this.#isUpdating) this.#options.stderr.write(ERASE_LINE);
    this.#isUpdating = false;
  }

  #isInteractive(): boolean {
    const { stderr, environment } = this.#options;
    return stderr.isTTY === true && environment['TERM'] !== 'dumb';
  }

  /** Colours a word where the terminal shows colours, unless `NO_COLOR` is set (https://no-color.org). */
  #red(text: string): string {
    const isPlain = !this.#isInteractive() || (this.#options.environment['NO_COLOR'] ?? '') !== '';
    return isPlain ? text : `${RED}${text}${PLAIN}`;
  }
}
