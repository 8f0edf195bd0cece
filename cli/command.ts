import type { JsonObject } from '../schemas/base/json.ts';
import type { Exit } from './exit-codes.ts';
import type { Next } from './failure.ts';
import type { Options } from './options.ts';
import type { Block } from './output/blocks.ts';
import type { Progress } from './output/progress.ts';

/** An option of a command. */
export interface OptionSpec {
  /** The long name, without the dashes. */
  readonly name: string;
  /** The placeholder of its value; absent for a switch. */
  readonly value?: string;
  readonly summary: string;
  readonly required?: boolean;
  /** True if it can be given more than once and takes several values with commas. */
  readonly list?: boolean;
  readonly choices?: readonly string[];
  /** Returns what is wrong with a value, or null. */
  readonly fault?: (value: string) => string | null;
}

/** A command as the table declares it. Help, completion, the guide for agents and the reference are made from it. */
export interface CommandSpec {
  /** The words that select it, for example `workspace create`. */
  readonly name: string;
  readonly summary: string;
  /** Further sentences for its help. */
  readonly details?: string;
  readonly options: readonly OptionSpec[];
  /** One value without a dash, after the name. */
  readonly argument?: { readonly name: string; readonly choices?: readonly string[] };
  /** The placeholder of any number of words, which follow two dashes. */
  readonly rest?: string;
  /** An example of the JSON file that it takes: `--example` prints it, and nothing is sent. */
  readonly file?: JsonObject;
  /** The words after the name in an example that can be run. */
  readonly example: readonly string[];
  /** Loads its code and does its work. The code is loaded here only, so that help starts fast. */
  run(context: CommandContext, options: Options): Promise<Outcome>;
}

/** The commands that share a first word. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CommandSpec[];
}

/** A released line of the tool. */
export interface Release {
  readonly version: string;
  /** First words of commands that only a later release has. */
  readonly later: readonly string[];
  readonly groups: readonly CommandGroup[];
  /** Commands of one word. */
  readonly commands: readonly CommandSpec[];
}

/** The surroundings of one run of a command. */
export interface CommandContext {
  readonly release: Release;
  /** The project directory, absolute. */
  readonly directory: string;
  /** True if the command line names the directory. */
  readonly isDirectoryGiven: boolean;
  /** The address that the command line or `SVC_BASE_URL` names, or null. */
  readonly baseUrl: string | null;
  /** The variables that this tool obeys. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** The variables of the caller, for other programs. */
  readonly inherited: Readonly<NodeJS.ProcessEnv>;
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Returns the words of a command as a line for a shell. */
  readonly line: (command: Next) => string;
}

/** The result of a command that did its work. */
export interface Outcome {
  /** The one JSON document of `--json`, without `next`. */
  readonly data: JsonObject;
  /** The same for a person; absent: `data` is `{ "text": … }`, which is printed as it is. */
  readonly blocks?: readonly Block[];
  readonly exit?: Exit;
  /** The exit code of another program, which takes the place of ours. */
  readonly exitCode?: number;
  /** False for a command whose standard output is a protocol. */
  readonly isPrinted?: false;
  /** The command that usually follows. */
  readonly next?: Next;
}
