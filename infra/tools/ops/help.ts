import { type OptionSpec, UsageError, type VerbSpec } from './verb.ts';

/** The words that start the program. */
export const PROGRAM = 'npm run ops --';

/** The options of every verb. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { name: 'json', summary: 'print one JSON document' },
  { name: 'help', summary: 'show this help' },
];

/** Returns the help of the program: every verb with its summary. */
export function programHelp(verbs: readonly VerbSpec[]): string {
  return `${PROGRAM} VERB

Works for the operator of the service, on the engine that the environment variables of the service name (.env.example).

${columns(verbs.map(({ name, summary }) => [name, summary]))}

${columns(COMMON_OPTIONS.map(optionLine))}

${PROGRAM} VERB --help shows the arguments of a verb, and an example.
`;
}

/** Returns the help of one verb. Its first line is the whole command. */
export function verbHelp(verb: VerbSpec): string {
  const { summary, details, arguments: words, options, examples } = verb;
  const choices = words.flatMap((each) =>
    each.choices === undefined ? [] : [`  ${each.name}: ${each.choices.join(', ')}\n\n`],
  );
  return `${usageOf(verb)}

${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.
${details}

${choices.join('')}${columns([...options, ...COMMON_OPTIONS].map(optionLine))}

${examples.length === 1 ? 'Example' : 'Examples'}:
${examples.map((example) => `  ${PROGRAM} ${example}`).join('\n')}
`;
}

/** Returns the command line of a verb, with placeholders. */
export function usageOf({ name, arguments: words, options }: VerbSpec): string {
  const placeholders = words.map((each) => ` <${each.name}>`).join('');
  return `${PROGRAM} ${name}${placeholders}${options.length === 0 ? '' : ' [options]'}`;
}

/**
 * Finds the verb that the first words of a command line name.
 *
 * @throws {UsageError} that names the verbs which exist.
 */
export function findVerb(verbs: readonly VerbSpec[], args: readonly string[]): VerbSpec {
  const found = verbs.find(({ name }) => name.split(' ').every((each, index) => args[index] === each));
  if (found !== undefined) return found;
  const [first = ''] = args;
  const related = verbs.filter(({ name }) => name.split(' ')[0] === first);
  const known = (related.length === 0 ? verbs : related).map(({ name }) => name).join(', ');
  const seen = related.length === 0 ? first : args.slice(0, 2).join(' ');
  throw new UsageError(`verb: seen "${seen}"; expected one of ${known}`);
}

function optionLine({ name, value, summary }: OptionSpec): readonly [string, string] {
  return [value === undefined ? `--${name}` : `--${name} <${value}>`, summary];
}

/** Lines of two columns, indented by two. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n');
}
