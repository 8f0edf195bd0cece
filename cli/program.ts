import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { CommandSpec, OptionSpec, Release } from './command.ts';
import type { Next } from './failure.ts';
import { firstSteps, flagsOf, GLOBAL_OPTIONS, HELP_COLUMNS, ownOptions, TOOL } from './first-help.ts';

/** The values of one option that one command line can have. */
const LIST_VALUES_MAX = 50;

/** The words of a command line besides its name and its options. */
export interface Given {
  readonly argument: string | null;
  /** The words after two dashes. */
  readonly rest: readonly string[];
}

interface ProgramOptions {
  readonly release: Release;
  /** The command line. Only groups that it names get their commands: the first help lists none. */
  readonly words: readonly string[];
  readonly line: (command: Next) => string;
  /** Called with the selected command and the values of all its options. */
  readonly select: (spec: CommandSpec, values: Readonly<Record<string, unknown>>, given: Given) => void;
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

/** Builds the parser of a release from its table. It throws `CommanderError` instead of ending the process. */
export function buildProgram({
  release,
  words: given,
  line,
  select,
  writeOut,
  writeErr,
}: ProgramOptions): Command {
  const program = base(new Command('svc'), writeOut, writeErr)
    .description(TOOL.description)
    .version(release.version, '--version', TOOL.version)
    .addHelpText('after', firstSteps(line));
  for (const option of GLOBAL_OPTIONS) program.addOption(parserOption(option));
  const add = (parent: Command, spec: CommandSpec): void => {
    const example = line(['svc', ...spec.name.split(' '), ...spec.example]);
    const command = base(parent.command(spec.name.split(' ').at(-1) ?? ''), writeOut, writeErr)
      .summary(spec.summary)
      .description(`${spec.summary}.${spec.details === undefined ? '' : `\n${spec.details}`}`)
      .configureHelp({ showGlobalOptions: true })
      .addHelpText('after', `\nExample:\n  ${example}\n`);
    if (spec.argument !== undefined) command.argument(`[${spec.argument.name}]`);
    if (spec.rest !== undefined) command.argument(`[${spec.rest}...]`);
    const options = ownOptions(spec);
    const shown = given.includes('--example') ? exampleOf(spec, example, given.includes('--json')) : null;
    const isExample = shown !== null && options.some(({ name }) => name === 'example');
    for (const option of options) command.addOption(parserOption(option, isExample));
    command.action((...given: unknown[]) => {
      if (isExample) {
        writeOut(`${shown}\n`);
        return;
      }
      const [first] = given;
      select(spec, command.optsWithGlobals(), {
        argument: typeof first === 'string' ? first : null,
        rest: Array.isArray(first) ? first : [],
      });
    });
  };
  for (const { name, summary, commands } of release.groups) {
    const group = base(program.command(name), writeOut, writeErr).description(summary);
    if (given.includes(name)) for (const spec of commands) add(group, spec);
  }
  for (const spec of release.commands) add(program, spec);
  program
    .command(TOOL.helpCommand)
    .summary(TOOL.helpSummary)
    .action((words: readonly string[]) => {
      let found: Command = program;
      for (const word of words) found = found.commands.find((each) => each.name() === word) ?? unknown(words);
      found.outputHelp();
    });
  return program;
}

/** Applies what all commands share. */
function base(command: Command, writeOut: (text: string) => void, writeErr: (text: string) => void): Command {
  return command
    .helpCommand(false)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({
      writeOut,
      writeErr,
      outputError: () => undefined,
      getOutHelpWidth: () => HELP_COLUMNS,
      getErrHelpWidth: () => HELP_COLUMNS,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .helpOption(TOOL.helpFlags, TOOL.help);
}

/** Returns the file that a command takes, or else a line that can be run. */
function exampleOf({ file }: CommandSpec, line: string, isJson: boolean): string {
  if (file !== undefined) return JSON.stringify(file, null, 2);
  return isJson ? JSON.stringify({ text: line }) : line;
}

function parserOption(spec: OptionSpec, isExample = false): Option {
  const { value, summary, required, list, choices, fault } = spec;
  const option = new Option(flagsOf(spec), summary);
  if (required === true && !isExample) option.makeOptionMandatory();
  if (value === undefined) return option;
  const check = (text: string): string => {
    const said =
      choices === undefined || choices.includes(text)
        ? (fault?.(text) ?? null)
        : `expected ${choices.join(' or ')}`;
    if (said !== null) throw new InvalidArgumentError(`${said}.`);
    return text;
  };
  if (list !== true) return option.argParser(check);
  return option.argParser((text, before: readonly string[] | undefined) => {
    const values = [...(before ?? []), ...text.split(',').map((each) => check(each.trim()))];
    if (values.length > LIST_VALUES_MAX)
      throw new InvalidArgumentError(`expected at most ${LIST_VALUES_MAX}.`);
    return values;
  });
}

function unknown(words: readonly string[]): never {
  throw new CommanderError(2, 'svc.unknownHelp', `error: there is no command ${words.join(' ')}`);
}
