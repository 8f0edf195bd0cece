import { readFileSync } from 'node:fs';

/** Variables that decide where requests go, and which of them are trusted. */
const DECIDING =
  /^(SVC_(BASE_URL|CREDENTIAL|CREDENTIAL_FILE|INSTALLATION_ID)|XDG_CONFIG_HOME|APPDATA|HOME|HTTPS_PROXY|NO_PROXY|NODE_TLS_REJECT_UNAUTHORIZED)$/i;
const MODES = ['', '.development', '.production', '.test'];
/** An assignment in such a file. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*[=:]/gm;

/**
 * Removes variables that a `.env` file of the working directory sets, and returns their names. Bun reads these files before it
 * starts a script, and a repository can bring them. With `bun --no-env-file`, every variable is the caller's.
 *
 * @param environment the one of this process, which it changes
 */
export function dropProjectVariables(environment: NodeJS.ProcessEnv): string[] {
  if (!('bun' in process.versions) || process.execArgv.includes('--no-env-file')) return [];
  const files = MODES.flatMap((mode) => [`.env${mode}`, `.env${mode}.local`]);
  const named = new Set(
    files.flatMap((file) => [...textOf(file).matchAll(ASSIGNMENT)].map(([, name]) => name)),
  );
  const dropped = Object.keys(environment).filter((name) => named.has(name) && DECIDING.test(name));
  for (const name of dropped) delete environment[name];
  return dropped;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
