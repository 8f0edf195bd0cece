import { z } from 'zod';
import type { CommandContext, CommandSpec, Outcome, Release } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { GLOBAL_OPTIONS, ownOptions } from '../first-help.ts';
import type { Options } from '../options.ts';
import { quoteWord } from '../output/shell-line.ts';
import { SHELLS, type Shell } from './shells.ts';

export const completionOutput = z.object({ shell: z.string(), text: z.string().describe('the script') });

/** Prints the completion script of a shell. */
export async function printCompletion({ release }: CommandContext, options: Options): Promise<Outcome> {
  const shell = z.enum(SHELLS).safeParse(options.optionalText('argument'));
  if (!shell.success)
    throw usageFailure(`Expected one of ${SHELLS.join(', ')}.`, ['svc', 'completion', 'bash']);
  return { data: { shell: shell.data, text: WRITERS[shell.data](release).trimEnd() } };
}

const WRITERS: Readonly<Record<Shell, (release: Release) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The words that can follow others: those after `svc`, after each group, and the options of each command. */
interface Words {
  readonly first: readonly string[];
  readonly second: readonly (readonly [group: string, names: readonly string[]])[];
  readonly options: readonly (readonly [command: string, options: readonly string[]])[];
}

function wordsOf({ groups, commands }: Release): Words {
  const optionsOf = (spec: CommandSpec) =>
    [...ownOptions(spec), ...GLOBAL_OPTIONS].map(({ name }) => `--${name}`);
  return {
    first: [...groups.map(({ name }) => name), ...commands.map(({ name }) => name), 'help'],
    second: [
      ...groups.map(({ name, commands: own }) => [name, own.map((each) => lastWord(each))] as const),
      ...commands.flatMap(({ name, argument }) =>
        argument?.choices === undefined ? [] : [[name, argument.choices] as const],
      ),
      ['help', groups.map(({ name }) => name)],
    ],
    options: [
      ...groups.flatMap((group) => group.commands.map((each) => [each.name, optionsOf(each)] as const)),
      ...commands.map((each) => [`${each.name} *`, optionsOf(each)] as const),
    ],
  };
}

function lastWord({ name }: CommandSpec): string {
  return name.split(' ').at(-1) ?? name;
}

function bashScript(release: Release): string {
  const { first, second, options } = wordsOf(release);
  return `_svc() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${first.join(' ')}"
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "\${COMP_WORDS[1]}" in
${second.map(([group, names]) => `      ${group}) words="${names.join(' ')}" ;;`).join('\n')}
    esac
  fi
  if [ -z "$words" ]; then
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${options.map(([command, names]) => `      ${caseOf(command)}) words="${names.join(' ')}" ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _svc svc
`;
}

function zshScript(release: Release): string {
  const { first, second, options } = wordsOf(release);
  return `#compdef svc
_svc() {
  if (( CURRENT == 2 )); then
    compadd -- ${first.join(' ')}
    return
  fi
  if (( CURRENT == 3 )); then
    case "\${words[2]}" in
${second.map(([group, names]) => `      ${group}) compadd -- ${names.join(' ')}; return ;;`).join('\n')}
    esac
  fi
  case "\${words[2]} \${words[3]}" in
${options.map(([command, names]) => `    ${caseOf(command)}) compadd -- ${names.join(' ')} ;;`).join('\n')}
  esac
  _files
}
compdef _svc svc
`;
}

/** Quotes a pattern of `case`, but for its star. */
function caseOf(command: string): string {
  return command.endsWith(' *') ? `"${command.slice(0, -1)}"*` : `"${command}"`;
}

function fishScript({ groups, commands }: Release): string {
  const lines = ['complete -c svc -f'];
  const first = (name: string, summary: string) =>
    lines.push(`complete -c svc -n __fish_use_subcommand -a ${name} -d ${quoteWord(summary)}`);
  const optionsOf = (condition: string, { options }: CommandSpec) => {
    for (const { name, value, summary } of [...options, ...GLOBAL_OPTIONS]) {
      const takes = value === undefined ? '' : ' -r -F';
      lines.push(`complete -c svc -n ${quoteWord(condition)} -l ${name}${takes} -d ${quoteWord(summary)}`);
    }
  };
  for (const { name, summary, commands: own } of groups) {
    first(name, summary);
    const names = own.map(lastWord).join(' ');
    const isOpen = `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${names}`;
    for (const each of own) {
      lines.push(
        `complete -c svc -n ${quoteWord(isOpen)} -a ${lastWord(each)} -d ${quoteWord(each.summary)}`,
      );
      optionsOf(
        `__fish_seen_subcommand_from ${name}; and __fish_seen_subcommand_from ${lastWord(each)}`,
        each,
      );
    }
  }
  for (const each of commands) {
    first(each.name, each.summary);
    const condition = `__fish_seen_subcommand_from ${each.name}`;
    if (each.argument?.choices !== undefined) {
      lines.push(
        `complete -c svc -n ${quoteWord(condition)} -a ${quoteWord(each.argument.choices.join(' '))}`,
      );
    }
    optionsOf(condition, each);
  }
  return `${lines.join('\n')}\n`;
}
