import { readFileSync } from 'node:fs';

/** Variables of which a person is told that they do not count: those that decide where requests go, and what is trusted. */
const TOLD =
  /^(SVC_(BASE_URL|CREDENTIAL|CREDENTIAL_FILE|INSTALLATION_ID)|XDG_CONFIG_HOME|APPDATA|HOME|BROWSER|(ALL|HTTP|HTTPS|NO)_PROXY|NODE_TLS_REJECT_UNAUTHORIZED|BUN_CONFIG_VERBOSE_FETCH)$/i;
/** Variables that make other programs run code or load libraries. */
const LOADING =
  /^((LD|DYLD|BUN|DENO|GIT|NPM_CONFIG)_\w+|PYTHON\w*|PERL5\w*|RUBY(OPT|LIB)|NODE_(OPTIONS|PATH|EXTRA_CA_CERTS)|(_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS|BASH_ENV|ENV|GCONV_PATH)$/i;
const MODES = ['', '.development', '.production', '.test'];
/** An assignment in such a file. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*[=:]/gm;
/** Makes Bun print each request with its credential. */
const VERBOSE = 'BUN_CONFIG_VERBOSE_FETCH';
/** Options of Bun by which the caller decides about these files. */
const DECIDED = /^--(no-)?env-file\b/;

interface CallersVariables {
  /** The variables of the caller, for programs that this tool starts. */
  readonly inherited: NodeJS.ProcessEnv;
  /** The names of those of a file that this tool would have obeyed. */
  readonly dropped: readonly string[];
}

/**
 * Removes the variables that a `.env` file of the working directory sets, so that neither this tool nor a program that it
 * starts obeys them. Bun reads these files before it starts a script, and a repository can bring them.
 *
 * @param environment the one of this process, which it changes
 * @param callers the variables of the caller as Linux keeps them, each ended by a zero; empty elsewhere
 */
export function dropProjectVariables(
  environment: NodeJS.ProcessEnv,
  callers = textOf('/proc/self/environ'),
): CallersVariables {
  const inherited = { ...environment };
  // Bun obeys the assignment, and neither a removal nor an assignment after it. A caller would not show a secret either.
  if (inherited[VERBOSE] !== undefined) environment[VERBOSE] = '0';
  if (!('bun' in process.versions) || process.execArgv.some((word) => DECIDED.test(word)))
    return { inherited, dropped: [] };
  const names = Object.keys(inherited).filter(projectVariable(callers));
  for (const name of names) {
    delete inherited[name];
    delete environment[name];
  }
  return { inherited, dropped: names.filter((name) => TOLD.test(name)) };
}

/**
 * Returns a test for names of variables that the caller did not set. Outside of Linux, it finds those that a file names and
 * that do harm.
 */
function projectVariable(callers: string): (name: string) => boolean {
  if (callers !== '') {
    const given = new Set(callers.split('\0').map((each) => each.slice(0, each.indexOf('='))));
    return (name) => !given.has(name);
  }
  const files = MODES.flatMap((mode) => [`.env${mode}`, `.env${mode}.local`]);
  const named = new Set(
    files.flatMap((file) => [...textOf(file).matchAll(ASSIGNMENT)].map(([, name]) => name)),
  );
  return (name) => named.has(name) && (TOLD.test(name) || LOADING.test(name));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
