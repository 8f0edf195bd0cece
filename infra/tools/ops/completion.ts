import { COMMON_OPTIONS } from './help.ts';
import { type Given, type OptionSpec, type VerbResult, type VerbSpec, word } from './verb.ts';

/** The shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The command that the script defines: it is shorter than `npm run ops --`, which belongs to the completion of npm. */
const COMMAND = 'svc-ops';

/** Returns the verb that prints a script which defines `svc-ops` and completes its words. */
export function completion(verbs: readonly VerbSpec[]): (given: Given) => Promise<VerbResult> {
  return async (given) => {
    const shell = word(given, 'shell');
    const text = shell === 'fish' ? fishScript(verbs) : bashScript(verbs, shell === 'zsh');
    return { data: { shell, text }, lines: [text] };
  };
}

/** The words that can follow those before the cursor, which are the key: `''`, `dead-letters`, `grow`. */
function followers(verbs: readonly VerbSpec[]): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, Set<string>>();
  const add = (before: string, ...after: readonly string[]) => {
    const known = words.get(before) ?? new Set();
    for (const each of after) known.add(each);
    words.set(before, known);
  };
  for (const { name, arguments: own, options } of verbs) {
    const [first = '', second] = name.split(' ');
    add('', first);
    if (second !== undefined) add(first, second);
    add(name, ...(own[0]?.choices ?? []), ...[...options, ...COMMON_OPTIONS].map(dashed));
  }
  return new Map([...words].map(([before, after]) => [before, [...after]]));
}

function dashed({ name }: OptionSpec): string {
  return `--${name}`;
}

function bashScript(verbs: readonly VerbSpec[], isZsh: boolean): string {
  const cases = [...followers(verbs)].map(
    ([before, after]) => `    "${before}") words="${after.join(' ')}" ;;`,
  );
  return `${isZsh ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}${COMMAND}() { npm --silent run ops -- "$@"; }
_${COMMAND}() {
  local words="" before="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$before" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${COMMAND} ${COMMAND}`;
}

function fishScript(verbs: readonly VerbSpec[]): string {
  const lines = [...followers(verbs)].map(
    ([before, after]) =>
      `complete -c ${COMMAND} -n 'test "(commandline -opc | tail -n +2 | string join " ")" = "${before}"' -a '${after.join(' ')}'`,
  );
  return [
    `function ${COMMAND}; npm --silent run ops -- $argv; end`,
    `complete -c ${COMMAND} -f`,
    ...lines,
  ].join('\n');
}
