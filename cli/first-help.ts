import type { CommandSpec, OptionSpec, Release } from './command.ts';
import type { Next } from './failure.ts';

/** The width of help texts. */
export const HELP_COLUMNS = 80;

/** The texts of the tool as a whole. */
export const TOOL = {
  description: 'Agent workspaces, feedback, checks, checklists and CSV import from a project directory.',
  version: 'print the version',
  helpFlags: '-h, --help',
  help: 'show this help',
  helpCommand: 'help [command...]',
  helpSummary: 'Show the help of a command, with an example',
};

/** Options of every command. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { name: 'json', summary: 'print one JSON document; failures are JSON on standard error' },
  { name: 'quiet', summary: 'do not print progress' },
  {
    name: 'directory',
    value: 'path',
    summary: 'project directory (default: current directory)',
  },
  {
    name: 'base-url',
    value: 'https url',
    summary: 'address of the service, for workspace create and discover; or SVC_BASE_URL',
  },
];

const EXAMPLE = 'example';

/** Returns the options of a command itself. A command that cannot run without options has an example of them. */
export function ownOptions({ options, file }: Pick<CommandSpec, 'options' | 'file'>): readonly OptionSpec[] {
  if (file !== undefined)
    return [...options, { name: EXAMPLE, summary: 'print an example of the JSON file, and send nothing' }];
  return options.some(({ required }) => required)
    ? [...options, { name: EXAMPLE, summary: 'print an example of this command, and send nothing' }]
    : options;
}

type Item = readonly [term: string, text: string];

/** Returns an option as the parser and the help write it. */
export function flagsOf({ name, value }: OptionSpec): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`;
}

/** Returns what follows the list of commands. */
export function firstSteps(line: (command: Next) => string): string {
  return `\nFirst steps:\n  ${line(['svc', 'help', 'workspace', 'create'])}\n`;
}

/**
 * Renders the help of the tool as a whole from its table. The parser renders the same text for `svc help`; loading and
 * filling it takes longer than all of this.
 */
export function firstHelp(release: Release, line: (command: Next) => string): string {
  const options: Item[] = [
    ['--version', TOOL.version],
    ...GLOBAL_OPTIONS.map((option): Item => [flagsOf(option), option.summary]),
    [TOOL.helpFlags, TOOL.help],
  ];
  const commands: Item[] = [
    ...release.groups.map(({ name, summary }): Item => [name, summary]),
    ...release.commands.map((command): Item => [termOf(command), command.summary]),
    [TOOL.helpCommand, TOOL.helpSummary],
  ];
  const width = Math.max(...[...options, ...commands].map(([term]) => term.length));
  const list = (title: string, items: readonly Item[]): string =>
    `${title}:\n${items.map(([term, text]) => `  ${term.padEnd(width)}  ${wrap(text, width + 4)}\n`).join('')}`;
  return [
    'Usage: svc [options] [command]\n',
    `${wrap(TOOL.description, 0)}\n`,
    list('Options', options),
    `${list('Commands', commands)}${firstSteps(line)}`,
  ].join('\n');
}

/** Returns a command of one word with its placeholder. */
function termOf({ name, argument, rest }: CommandSpec): string {
  const placeholder = argument?.name ?? (rest && `${rest}...`);
  return placeholder ? `${name} [${placeholder}]` : name;
}

/** Breaks a text that stands at an indent, so that it keeps to the width of help. */
function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    if (current !== '' && indent + current.length + 1 + word.length > HELP_COLUMNS) {
      lines.push(current);
      current = word;
    } else current += current === '' ? word : ` ${word}`;
  }
  return [...lines, current].join(`\n${' '.repeat(indent)}`);
}
