/** Of this service, and of tools around it that share the environment. */
const PREFIX = 'SVC_';
const OTHER_PREFIXES = ['SVC_TEST_', 'SVC_CLUSTER_', 'SVC_COMPOSE_'];

/** Edits that make one name of another: up to here it was meant. */
const EDITS_MAX = 2;

/** Returns a fault for each variable that is no setting. */
export interface UnknownVariables {
  /** One line for each name that is nearly the name of a setting. It stops the start. */
  readonly problems: readonly string[];
  /** One line for each other name. Orchestrators set such variables by themselves. */
  readonly warnings: readonly string[];
}

/**
 * Finds variables that begin like those of the service and are none of them: a mistyped name would otherwise leave its
 * setting at the default in silence.
 *
 * @param names of the settings. Each may also be given as `NAME_FILE`.
 */
export function unknownVariables(variables: readonly string[], names: readonly string[]): UnknownVariables {
  const known = new Set(names.flatMap((name) => [name, `${name}_FILE`]));
  const unknown = variables.filter(
    (name) =>
      name.startsWith(PREFIX) &&
      !known.has(name) &&
      !OTHER_PREFIXES.some((prefix) => name.startsWith(prefix)),
  );
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const name of unknown) {
    const meant = [...known].find((other) => edits(name, other) <= EDITS_MAX);
    if (meant === undefined) warnings.push(`${name}: no such variable; it changes nothing`);
    else problems.push(`${name}: no such variable; did you mean ${meant}?`);
  }
  return { problems, warnings };
}

/** The Levenshtein distance of two texts. */
function edits(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, character] of [...left].entries()) {
    const line = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const [diagonal = 0, up = 0] = above.slice(column, column + 2);
      const replaced = diagonal + (character === other ? 0 : 1);
      line.push(Math.min(replaced, up + 1, (line[column] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
