import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommanderError } from 'commander';
import type { CommandContext, CommandSpec, Release } from './command.ts';
import { dropProjectVariables } from './environment.ts';
import { EXIT_CODES, type Exit } from './exit-codes.ts';
import { CommandFailure, interruption, type Next, usageFailure } from './failure.ts';

import { Options } from './options.ts';
import { Printer } from './output/printer.ts';
import { STANDARD_ERROR, STANDARD_OUTPUT, writeWhole } from './output/write-whole.ts';
import { buildProgram, type Given } from './program.ts';
import { workingDirectory } from './working-directory.ts';

interface Selected {
  readonly spec: CommandSpec;
  readonly values: Readonly<Record<string, unknown>>;
  readonly given: Given;
}

/** Runs the command that a command line selects, and sets the exit code of this process. */
export async function main(
  release: Release,
  words: readonly string[],
  line: (command: Next) => string,
): Promise<void> {
  try {
    const selected = await parse(release, words, line);
    if (selected !== null) await run(release, selected, line);
  } catch (error) {
    const json = ownWords(words).includes('--json');
    finish(printerOf({ json, quiet: false }, line), failureOf(error));
  }
}

/** Parses the command line. Returns null if it asked for help or the version, which are printed. */
async function parse(
  release: Release,
  words: readonly string[],
  line: (command: Next) => string,
): Promise<Selected | null> {
  let selected: Selected | null = null;
  const isJson = ownWords(words).includes('--json');
  const program = buildProgram({
    release,
    words,
    line,
    select: (spec, values, given) => {
      selected = { spec, values, given };
    },
    writeOut: (text) => writeWhole(STANDARD_OUTPUT, text),
    // A group without a command prints its help, which is no JSON.
    writeErr: (text) => (isJson ? undefined : writeWhole(STANDARD_ERROR, text)),
  });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return null;
    throw usageOf(release, error, words);
  }
  return selected;
}

/** Turns a fault of the command line into a failure. A group without a command has printed its help already. */
function usageOf(
  release: Release,
  { code, message }: CommanderError,
  words: readonly string[],
): CommandFailure {
  const names = ownWords(words).filter((word) => /^[a-z]+$/.test(word) && word !== 'help');
  const isUnknown = code === 'commander.unknownCommand' || code === 'svc.unknownHelp';
  if (isUnknown && release.later.includes(names[0] ?? '')) {
    return usageFailure(
      `Version ${release.version} has no ${names[0]}. A later version has it, at /downloads/ of the service.`,
      ['svc', 'workspace', 'discover'],
    );
  }
  const said = code === 'commander.help' ? 'The command is missing.' : message.replace(/^error: /, '');
  const whole = said.endsWith('.') ? said : `${said}.`;
  return usageFailure(whole.charAt(0).toUpperCase() + whole.slice(1), helpOf(release, names));
}

/** Returns the command that shows the closest help there is. */
function helpOf({ groups, commands }: Release, [first = '', second = '']: readonly string[]): Next {
  const group = groups.find(({ name }) => name === first);
  if (group === undefined) {
    return commands.some(({ name }) => name === first) ? ['svc', 'help', first] : ['svc', 'help'];
  }
  const isCommand = group.commands.some(({ name }) => name === `${first} ${second}`);
  return isCommand ? ['svc', 'help', first, second] : ['svc', 'help', first];
}

/** The words before two dashes. Those after them are another program's. */
function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}

async function run(release: Release, { spec, values, given }: Selected, line: (command: Next) => string) {
  endOnBrokenOutput();
  if (workingDirectory() === null)
    throw usageFailure('The working directory does not exist or cannot be read. Change to another one.');
  const json = values['json'] === true;
  const printer = printerOf({ json, quiet: values['quiet'] === true }, line);
  const interrupt = new AbortController();
  const interrupted = onSignals(interrupt);
  const { inherited, dropped } = dropProjectVariables(process.env);
  const directory = typeof values['directory'] === 'string' ? values['directory'] : null;
  const baseUrl = values['baseUrl'] ?? process.env['SVC_BASE_URL'];
  const context: CommandContext = {
    release,
    directory: resolve(directory ?? '.'),
    isDirectoryGiven: directory !== null,
    baseUrl: typeof baseUrl === 'string' && baseUrl !== '' ? baseUrl : null,
    environment: process.env,
    inherited,
    signal: interrupt.signal,
    progress: printer,
    line,
  };
  try {
    if (directory !== null && statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw usageFailure(`--directory: ${directory} is not a directory.`);
    if (dropped.length > 0)
      printer.tell(`Ignored in the .env file of this directory: ${dropped.join(', ')}.`);
    (await import('./http/proxy.ts')).useProxyVariables(process.env);
    const outcome = await spec.run(context, new Options({ ...values, ...given }));
    printer.result(outcome);
    process.exitCode = outcome.exitCode ?? EXIT_CODES[outcome.exit ?? 'ok'].code;
  } catch (error) {
    const exit = interrupted();
    const failure = exit === null ? failureOf(error) : interruption(exit);
    finish(printer, failure, ['svc', 'help', ...spec.name.split(' ')]);
  }
}

function printerOf(
  { json, quiet }: { json: boolean; quiet: boolean },
  line: (command: Next) => string,
): Printer {
  const { stdout, stderr, env: environment } = process;
  return new Printer({ json, quiet, stdout, stderr, environment, line });
}

/** @param help of the command, for a failure of usage that names nothing better */
function finish(printer: Printer, failure: CommandFailure, help: Next | null = null): void {
  printer.failure(failure, failure.next ?? (failure.exit === 'usage' ? help : null));
  const exit: Exit = failure.exit;
  process.exitCode = EXIT_CODES[exit].code;
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  // The message of an unknown error can hold anything, and so is not shown.
  const name = error instanceof Error ? error.name : typeof error;
  return new CommandFailure(`The tool failed because of a bug: ${name}.`, {
    code: 'internal',
    exit: 'failed',
    next: ['svc', 'doctor'],
    cause: error,
  });
}

/** The signals that stop a command, each with the exit code that shells expect of it. */
const STOPS = { SIGINT: 'interrupted', SIGTERM: 'terminated' } as const;

type Stop = (typeof STOPS)[keyof typeof STOPS];

/** Stops the work at the first signal, and the process at the second one. Returns the exit of the first one, or null. */
function onSignals(interrupt: AbortController): () => Stop | null {
  let first: Stop | null = null;
  for (const [signal, exit] of Object.entries(STOPS)) {
    process.on(signal, () => {
      if (first !== null) process.exit(EXIT_CODES[exit].code);
      first = exit;
      interrupt.abort();
    });
  }
  return () => first;
}

/** Ends without a message if the reader of the output has closed it, as `head` does. */
function endOnBrokenOutput(): void {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(EXIT_CODES.ok.code);
    writeWhole(STANDARD_ERROR, `error: The result cannot be written: ${code}. (output)\n`);
    process.exit(EXIT_CODES.failed.code);
  });
}
