// Reads: the files that variables name.
import { readFileSync } from 'node:fs';

type Variables = Readonly<Record<string, string>>;

/** No setting is longer than a chain of certificates. */
const FILE_CHARACTERS_MAX = 64 * 1_024;
const SUFFIX = '_FILE';

/** The variables with what their files hold, and a line for each that cannot be used. */
export interface ReadVariables {
  readonly variables: Variables;
  readonly problems: readonly string[];
}

/**
 * Takes the values of variables from files, where `NAME_FILE` stands for `NAME`: so orchestrators hand secrets to a process
 * without showing them in its environment. White space around a value is not part of it.
 *
 * @param names of the settings; other variables that end in `_FILE` are left alone
 */
export function readVariableFiles(variables: Variables, names: readonly string[]): ReadVariables {
  const read: Record<string, string> = { ...variables };
  const problems: string[] = [];
  for (const name of names) {
    const file = variables[name + SUFFIX];
    if (file === undefined || names.includes(name + SUFFIX)) continue;
    const value = contentOf(file);
    if (variables[name] !== undefined) problems.push(`${name}, ${name}${SUFFIX}: seen both; set one of them`);
    else if (value === null) problems.push(`${name}${SUFFIX}: seen "${file}"; expected a readable file`);
    else if (value === '') problems.push(`${name}${SUFFIX}: seen nothing in "${file}"; expected a value`);
    else read[name] = value;
  }
  return { variables: read, problems };
}

function contentOf(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8');
    return text.length > FILE_CHARACTERS_MAX ? null : text.trim();
  } catch {
    return null;
  }
}
