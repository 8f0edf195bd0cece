// Writes the reference of the command-line tool from its table.
import { z } from 'zod';
import type { CommandSpec } from '../../../cli/command.ts';
import { EXIT_CODES } from '../../../cli/exit-codes.ts';
import { GLOBAL_OPTIONS, ownOptions } from '../../../cli/first-help.ts';
import { OUTPUTS } from '../../../cli/outputs.ts';
import { RELEASES } from '../../../cli/releases.ts';
import { keywords } from '../../../schemas/base/wire.ts';
import { markdownTable } from '../markdown-table.ts';

/** Every command by its name, with the versions that have it. */
const COMMANDS = new Map<string, { readonly spec: CommandSpec; readonly versions: string[] }>();
for (const { version, groups, commands } of RELEASES) {
  for (const spec of [...groups.flatMap((group) => group.commands), ...commands]) {
    const known = COMMANDS.get(spec.name);
    if (known === undefined) COMMANDS.set(spec.name, { spec, versions: [version] });
    else known.versions.push(version);
  }
}

/** The names of all commands of all releases. */
export const COMMAND_NAMES = [...COMMANDS.keys()];

/**
 * Describes commands: the use, the options, and the JSON document that each prints.
 *
 * @throws {Error} for a command that does not exist, or whose document is not described
 */
export function commandSections(names: readonly string[]): string {
  return names.map(sectionOf).join('\n');
}

/** The exit codes of every command. */
export function exitCodeTable(): string {
  return markdownTable(
    ['code', 'meaning'],
    Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning]),
  );
}

/** The options that every command takes. */
export function globalOptionTable(): string {
  return optionTable(GLOBAL_OPTIONS);
}

function sectionOf(name: string): string {
  const command = COMMANDS.get(name);
  if (command === undefined) throw new Error(`finding the command ${name}`);
  const { spec, versions } = command;
  const output = OUTPUTS[name];
  if (output === undefined) throw new Error(`finding the output of ${name}`);
  const words = [...name.split(' '), ...spec.example].map((word) =>
    word.includes(' ') ? `'${word}'` : word,
  );
  return [
    `### ${name}`,
    '',
    `${spec.summary}.${spec.details === undefined ? '' : ` ${spec.details}`} In ${versions.join(' and ')}.`,
    '',
    '```sh',
    `svc ${words.join(' ')}`,
    '```',
    '',
    ...(spec.options.length === 0 ? [] : [optionTable(ownOptions(spec))]),
    ...(output === null ? [] : [markdownTable(['member of the JSON', 'type', 'meaning'], membersOf(output))]),
  ].join('\n');
}

function optionTable(options: CommandSpec['options']): string {
  return markdownTable(
    ['option', 'meaning'],
    options.map(({ name, value, summary, required }) => [
      `\`--${name}${value === undefined ? '' : ` <${value}>`}\``,
      required === true ? `${summary}; required` : summary,
    ]),
  );
}

interface Described {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly additionalProperties?: Described | boolean;
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
  readonly enum?: readonly unknown[];
}

function membersOf(schema: z.ZodType): string[][] {
  return rowsOf('', z.toJSONSchema(schema, { io: 'output', metadata: keywords }) as Described);
}

/** One row for each member that is no object itself, by its path: `limits.<name>.used`, `products[].name`. */
function rowsOf(path: string, described: Described): string[][] {
  const { properties, additionalProperties, items, anyOf } = described;
  const own = path === '' || described.description === undefined ? [] : [rowOf(path, described)];
  if (properties !== undefined) {
    const prefix = path === '' ? '' : `${path}.`;
    return [...own, ...Object.entries(properties).flatMap(([name, each]) => rowsOf(prefix + name, each))];
  }
  if (typeof additionalProperties === 'object')
    return [...own, ...rowsOf(`${path}.<name>`, additionalProperties)];
  if (items?.properties !== undefined) return [...own, ...rowsOf(`${path}[]`, items)];
  const object = anyOf?.find((each) => each.properties !== undefined);
  if (object !== undefined) return [rowOf(path, described), ...rowsOf(path, object)];
  return [rowOf(path, described)];
}

function rowOf(path: string, described: Described): string[] {
  return [`\`${path}\``, typeOf(described), described.description ?? ''];
}

function typeOf({ type, anyOf, items, enum: values }: Described): string {
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (type === 'array') return items === undefined ? 'array' : `array of ${typeOf(items)}s`;
  return [type ?? 'any'].flat().join(' or ');
}
