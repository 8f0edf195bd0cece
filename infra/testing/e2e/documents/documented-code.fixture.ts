// Runs code of the documentation as its reader would, and sees the answer to its request.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import * as library from 'svc-client';

/** The answer to the request that an example sent. */
export interface SeenAnswer {
  readonly status: number;
  readonly text: string;
  readonly setCookie: string;
}

/** The operation that an example is for, with names in the braces of its path. */
interface Operation {
  readonly method: string;
  readonly path: string;
}

/** Runs examples of one language. */
export interface Runner {
  run(code: string, environment: Readonly<Record<string, string>>, operation: Operation): Promise<SeenAnswer>;
  close(): void;
}

const execute = promisify(execFile);

/** A shell in which `curl` also keeps the head of the answer. */
export function shellRunner(): Runner {
  const folder = mkdtempSync(join(tmpdir(), 'svc-documented-'));
  const kept = `curl() { command curl -D head "$@"; }`;
  return {
    run: async (code, environment) => {
      const options = { cwd: folder, env: { ...environment, PATH: process.env['PATH'] ?? '' } };
      const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', `${kept}\n${code}`], options);
      // The code for a picture keeps it, and so a refusal, in a file.
      const [file] = /answer\.png$/.exec(code) ?? [];
      const text = file === undefined ? stdout : readFileSync(join(folder, file), 'utf8');
      const head = readFileSync(join(folder, 'head'), 'utf8');
      return {
        status: Number(/^HTTP\S+ (\d+)/.exec(head)?.[1]),
        // Where the code shows the head, too.
        text: text.replace(/^HTTP.*?\r\n\r\n/s, ''),
        setCookie: /^set-cookie: (.*?)\r?$/im.exec(head)?.[1] ?? '',
      };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The line that imports the client library, and its names. */
const LIBRARY_IMPORT = /^import (\{.*\}) from 'svc-client';$/m;

/**
 * JavaScript, with the `fetch` of this process. Code without the client library has to print the status of the answer, and other code
 * what it has got.
 */
export function scriptRunner(): Runner {
  return {
    run: async (code, environment, operation) => {
      const seen: SeenAnswer[] = [];
      const printed: unknown[] = [];
      const { fetch: first } = globalThis;
      // The client library may send more than the request of the operation.
      globalThis.fetch = async (...request) => {
        const response = await first(...request);
        const { status, headers } = response;
        const setCookie = headers.getSetCookie()[0] ?? '';
        if (isOf(operation, request)) seen.push({ status, text: await response.clone().text(), setCookie });
        return response;
      };
      try {
        await runScript(code, environment, (...values) => printed.push(...values));
      } finally {
        globalThis.fetch = first;
      }
      const [answer] = seen;
      if (answer === undefined) throw new Error('running an example in JavaScript: it sent no request');
      const isExpected = LIBRARY_IMPORT.test(code)
        ? printed.length > 0 && !printed.includes(undefined)
        : printed[0] === answer.status;
      if (!isExpected) throw new Error(`an example prints ${printed}`);
      return answer;
    },
    close: () => undefined,
  };
}

function isOf({ method, path }: Operation, [url, init]: Parameters<typeof fetch>): boolean {
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return (init?.method ?? 'GET') === method && pattern.test(new URL(String(url)).pathname);
}

async function runScript(
  code: string,
  environment: Readonly<Record<string, string>>,
  log: (...values: unknown[]) => void,
): Promise<void> {
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
  const body = code.replace(LIBRARY_IMPORT, 'const $1 = library;');
  const script = new AsyncFunction('console', 'process', 'library', body);
  try {
    await script({ log }, { env: environment }, library);
  } catch (error) {
    // An answer without a body is no JSON, and the code says so.
    if (!(error instanceof SyntaxError)) throw error;
  }
}

/** Reads code and variables as lines of JSON, and writes what was answered. An answer of 400 and more raises, as readers see it. */
const PYTHON = `
import io, json, os, sys, urllib.error, urllib.request
first = urllib.request.urlopen
class Seen:
    pass
def watched(request):
    try:
        response = first(request)
    except urllib.error.HTTPError as error:
        Seen.answer = (error.code, error.read().decode(), "")
        raise
    text = response.read()
    Seen.answer = (response.status, text.decode("utf-8", "replace"), response.headers.get("Set-Cookie") or "")
    again = io.BytesIO(text)
    again.status = response.status
    return again
urllib.request.urlopen = watched
for line in sys.stdin:
    given = json.loads(line)
    os.environ.update(given["environment"])
    failure = None
    try:
        exec(given["code"], {"print": lambda *values: None})
    except urllib.error.HTTPError:
        pass
    except Exception as error:
        failure = repr(error)
    status, text, cookie = Seen.answer
    print(json.dumps({"status": status, "text": text, "setCookie": cookie, "failure": failure}), flush=True)
`;

/** Python, with nothing but its standard library. */
export function pythonRunner(): Runner {
  const child: ChildProcess = spawn('python3', ['-u', '-c', PYTHON], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('starting Python: it has no output');
  const lines = createInterface({ input: child.stdout });
  return {
    run: async (code, environment) => {
      const answered = once(lines, 'line');
      child.stdin?.write(`${JSON.stringify({ code, environment })}\n`);
      const [line] = await Promise.race([answered, once(child, 'exit')]);
      const { failure, ...seen } = JSON.parse(String(line));
      if (failure !== null) throw new Error(`running an example in Python: ${failure}`);
      return seen;
    },
    close: () => {
      child.stdin?.end();
      lines.close();
    },
  };
}
