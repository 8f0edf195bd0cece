import { readFileSync } from 'node:fs';

/** Variables of which a person is told that they do not count: those that decide where requests go, and what is trusted. */
const TOLD =
  /^(SVC_(BASE_URL|CREDENTIAL|CREDENTIAL_FILE|INSTALLATION_ID)|XDG_CONFIG_HOME|APPDATA|HOME|BROWSER|(ALL|HTTP|HTTPS|NO)_PROXY|NODE_TLS_REJECT_UNAUTHORIZED|BUN_CONFIG_VERBOSE_FETCH)$/i;
/** Variables that make other programs run code or load libraries. */
const LOADING =
  /^((LD|DYLD|BUN|DENO|GIT|NPM_CONFIG|OPENSSL|SSL|CURL)_\w+|PYTHON\w*|PERL5\w*|RUBY(OPT|LIB)|NODE_(OPTIONS|PATH|EXTRA_CA_CERTS)|(_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS|DOTNET_STARTUP_HOOKS|SSLKEYLOGFILE|EDITOR|VISUAL|PAGER|BASH_ENV|ENV|GCONV_PATH)$/i;
/** The files that Bun reads; its variable `NODE_ENV` selects among them. */
const FILES = ['', '.development', '.production', '.test'].flatMap((mode) => [
  `.env${mode}`,
  `.env${mode}.local`,
]);
/** Files without a text: Bun reads none of them either, such as a folder `.env` of Python. */
const NO_FILE = ['ENOENT', 'ENOTDIR', 'EISDIR'];
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
 * starts obeys them. Bun reads these files before it starts a script, and a repository can bring them. Restores the caller's
 * `PATH`, too: `bun run` puts `node_modules/.bin` of the repository before it.
 *
 * @param environment the one of this process, which it changes
 * @param callers the variables of the caller as Linux keeps them, each ended by a zero; empty elsewhere
 */
export function dropProjectVariables(
  environment: NodeJS.ProcessEnv,
  callers = callersText(),
): CallersVariables {
  const isBun = 'bun' in process.versions;
  const [path] = /(?<=^PATH=|\0PATH=)[^\0]*/.exec(callers) ?? [];
  if (isBun && path !== undefined) environment['PATH'] = path;
  const inherited = { ...environment };
  // Bun obeys the assignment, and neither a removal nor an assignment after it. A caller would not show a secret either.
  if (inherited[VERBOSE] !== undefined) environment[VERBOSE] = '0';
  if (!isBun || process.execArgv.some((word) => DECIDED.test(word))) return { inherited, dropped: [] };
  const names = Object.keys(inherited).filter(projectVariable(callers));
  for (const name of names) {
    delete inherited[name];
    delete environment[name];
  }
  return { inherited, dropped: names.filter((name) => TOLD.test(name)) };
}

/**
 * Returns a test for names of variables that the caller did not set. Outside of Linux, it finds those that do harm and that a
 * file contains anywhere. It does not parse the file: a parser that differs from Bun's would miss an assignment.
 */
function projectVariable(callers: string): (name: string) => boolean {
  if (callers !== '') {
    const given = new Set(callers.split('\0').map((each) => each.slice(0, each.indexOf('='))));
    return (name) => !given.has(name);
  }
  const texts = FILES.map(projectText);
  return (name) =>
    (TOLD.test(name) || LOADING.test(name)) &&
    texts.some((text) => text === null || text.includes(name.toLowerCase()));
}

function callersText(): string {
  try {
    return readFileSync('/proc/self/environ', 'utf8');
  } catch {
    return '';
  }
}

/** Returns a file in lower case, each byte as one character. Returns null for a file that cannot be read: it can contain any name. */
function projectText(file: string): string | null {
  try {
    return readFileSync(file, 'latin1').toLowerCase();
  } catch (error) {
    return NO_FILE.includes((error as NodeJS.ErrnoException).code ?? '') ? '' : null;
  }
}
