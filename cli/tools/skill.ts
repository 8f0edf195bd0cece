import { z } from 'zod';
import type { CommandContext, CommandSpec, Outcome } from '../command.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';
import { readProject } from '../project.ts';

/** The address of the service in the examples of the table. */
const EXAMPLE_ADDRESS = 'https://api.example.com';

export const skillOutput = z.object({ text: z.string().describe('the guide, in Markdown') });

const RULES = [
  'Run every command in the same project directory. The directory is the workspace.',
  'Never read, print, copy or commit the folder `.svc`. It holds the credential. Git ignores it automatically.',
  'Add `--json` to read a result: one JSON document on standard output. A failure is one line of JSON on standard error, and its `next` is the command that helps.',
  'Repeat a command that was interrupted. It continues, and does its work once.',
  'After 429, read the limit and the time of its reset in the message. Do not repeat 400, 403, 409 and 410 unchanged.',
  'The backend of your app gets the credential from `run -- COMMAND`, in its environment. A capability for import sessions and delivery is created by a person in the console, after the workspace is attached.',
  'A person approves imports and claims the workspace. `workspace claim` opens their browser; give them the confirm code.',
];

/** Prints a guide for agents, made from the table of commands. */
export async function printSkill(context: CommandContext): Promise<Outcome> {
  const { release } = context;
  const line = lineWith(context);
  const { version, groups, commands } = release;
  const text = [
    '---',
    'name: svc',
    'description: Create an agent workspace without an account, set up a feedback widget, browser checks, onboarding checklists and CSV import, and hand the result to a person. Use it when a project needs one of these.',
    '---',
    '',
    '# svc',
    '',
    `Made by version ${version}. Start the tool with \`${line(['svc'])}\`.`,
    '',
    '## Rules',
    '',
    ...RULES.map((rule) => `- ${rule}`),
    '',
    '## From nothing to a verified result',
    '',
    ...firstSteps([...groups.flatMap((group) => group.commands), ...commands], line),
    '',
    ...groups.flatMap(({ name, summary, commands: own }) => [
      `## ${name}`,
      '',
      `${summary}.`,
      '',
      ...own.map((spec) => commandLine(spec, line)),
      '',
    ]),
    '## The tool',
    '',
    ...commands.map((spec) => commandLine(spec, line)),
    '',
    '## Exit codes',
    '',
    ...Object.values(EXIT_CODES).map(({ code, meaning }) => `- ${code}: ${meaning}`),
  ].join('\n');
  return { data: { text } };
}

/** Writes the address of this directory's service in place of the one of examples. */
function lineWith(context: CommandContext): CommandContext['line'] {
  const known = context.baseUrl ?? knownAddress(context) ?? EXAMPLE_ADDRESS;
  return (command) => context.line(command).replaceAll(EXAMPLE_ADDRESS, known);
}

/** The guide is printed for a directory without a workspace, and for a damaged one, too. */
function knownAddress(context: CommandContext): string | null {
  try {
    return readProject(context)?.file.baseUrl ?? null;
  } catch (error) {
    if (error instanceof CommandFailure) return null;
    throw error;
  }
}

/** The commands that lead to an accepted milestone event, a page and a person, in their order. */
const FIRST_STEPS = [
  'workspace create',
  'activate create',
  'activate test',
  'activate page',
  'run',
  'workspace claim',
];

function firstSteps(specs: readonly CommandSpec[], line: CommandContext['line']): string[] {
  return FIRST_STEPS.flatMap((name, index) => {
    const spec = specs.find((each) => each.name === name);
    return spec === undefined ? [] : [`${index + 1}. \`${exampleOf(spec, line)}\``];
  });
}

function commandLine(spec: CommandSpec, line: CommandContext['line']): string {
  const details = spec.details === undefined ? '' : ` ${spec.details}`;
  return `- ${spec.summary}.${details} \`${exampleOf(spec, line)}\``;
}

function exampleOf({ name, example }: CommandSpec, line: CommandContext['line']): string {
  return line(['svc', ...name.split(' '), ...example]);
}
