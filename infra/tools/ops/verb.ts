import type { JsonObject } from '../../../schemas/base/json.ts';

/** A word that a verb takes after its name. */
export interface ArgumentSpec {
  readonly name: string;
  readonly choices?: readonly string[];
}

/** An option of a verb. */
export interface OptionSpec {
  /** The long name, without the dashes. */
  readonly name: string;
  /** The placeholder of its value; absent for a switch. */
  readonly value?: string;
  readonly summary: string;
  readonly choices?: readonly string[];
}

/** A verb as the table declares it. Its help and the completion are made from it. */
export interface VerbSpec {
  /** One or two words, for example `dead-letters show`. */
  readonly name: string;
  readonly summary: string;
  /** Further lines for its help. */
  readonly details: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** Command lines, from the name of the verb on. */
  readonly examples: readonly string[];
  /** Imports its code here only, so that help starts fast. */
  load(): Promise<RunVerb>;
}

/** The values of one command line, whose words and options the table allows. */
export interface Given {
  /** The words after the name, by the name of the argument. */
  readonly words: Readonly<Record<string, string>>;
  /** The values of options by their name; a switch has `true`. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** The variables that name the engine. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Prints a line of progress at once. */
  readonly say: (line: string) => void;
}

export interface VerbResult {
  /** The one document of `--json`. */
  readonly data: JsonObject;
  /** The same for a person. */
  readonly lines: readonly string[];
  /** True if the answer is one that a script has to notice: the program then ends with 1. */
  readonly failed?: boolean;
}

export type RunVerb = (given: Given) => Promise<VerbResult>;

/** A command line that is wrong. The message names the argument, what was seen, and what is allowed. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Returns the value of an option, or null if it was not given. */
export function textOption({ options }: Given, name: string): string | null {
  const value = options[name];
  return typeof value === 'string' ? value : null;
}

/** Returns a word that the table requires. */
export function word({ words }: Given, name: string): string {
  const value = words[name];
  if (value === undefined) throw new Error(`reading the undeclared argument ${name}`);
  return value;
}
