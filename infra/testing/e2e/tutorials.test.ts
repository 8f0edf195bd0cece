// Runs blocks of the quick start, of guides and of the tutorial for a backend against the real service, as their reader does.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGuide } from '../../docs/guide-code.fixture.ts';
import { freePort } from '../../tools/service-process/service-process.ts';
import { ADDRESS } from '../../tools/site/examples.ts';
import { ServiceInProcess } from './service-in-process.fixture.ts';

const NODE_MODULES = join(import.meta.dirname, '../../../node_modules');
const run = promisify(execFile);

let service: ServiceInProcess;
let folder: string;
beforeEach(async () => {
  service = await ServiceInProcess.start();
  folder = mkdtempSync(join(tmpdir(), 'svc-tutorial-'));
  mkdirSync(join(folder, '.data'));
  writeFileSync(join(folder, '.data', 'set-up-link'), `${service.setUpLink}\n`);
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.dispose();
});

/** The blocks of a page with the words of their fences, in its order and with the address of the service. */
function blocksOf(name: string): { readonly fence: string; readonly code: string }[] {
  const blocks = [...readGuide(name).matchAll(/^```(.*?)\n(.*?)^```$/gms)];
  return blocks.map(([, fence = '', code = '']) => ({ fence, code: code.replaceAll(ADDRESS, service.url) }));
}

/** Runs lines in a shell that ends at the first failure. Returns what they print. */
async function shell(lines: string): Promise<string> {
  const env = { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', lines], { cwd: folder, env });
  return stdout;
}

describe('the quick start', () => {
  it.each([
    ['sh tab=curl', 'sh', 'bash'],
    ['js tab=JavaScript', 'mjs', 'node'],
    ['python tab=Python', 'py', 'python3'],
  ])('ends with a completed step in the block "%s"', async (fence, end, program) => {
    const [block, ...others] = blocksOf('quick-start.md').filter((each) => each.fence === fence);
    expect(others).toEqual([]);
    writeFileSync(join(folder, `first.${end}`), block?.code ?? '');
    expect(await shell(`${program} first.${end}`)).toContain('completed');
  });
});

const HAS_JQ = spawnSync('jq', ['--version']).error === undefined;

describe.skipIf(!HAS_JQ)('the first block of a guide', () => {
  it.each([
    ['checklist.md', ['"outcome":"completed"', 'HTTP/1.1 200 OK', '"enrollments":1']],
    ['feedback.md', ['loader.v1.js"></script>', '"receivedAt"', '"received":true']],
  ])('in %s prints what it promises', async (name, expected) => {
    const block = blocksOf(name).find(({ fence }) => fence === 'sh');
    // A reader's shell has no such option, and `head` may end before the program that it reads.
    const lines = `set +o pipefail; ONBOARDING_SECRET='a secret of the test'\n${block?.code}`;
    const printed = await shell(lines);
    for (const part of expected) expect(printed).toContain(part);
  });
});

describe('the tutorial for a backend', () => {
  it('limits a route, reports a step and delivers an import', async () => {
    const port = await freePort();
    const lines = blocksOf('tutorials/backend.md').map(({ fence, code }) =>
      fence === 'js' ? fileLines(code) : shellLines(code, port),
    );
    const [limited = '', ...others] = (await shell(lines.join('\n'))).split('project completed\n');
    expect(limited.match(/^\d{3}$/gm)).toEqual(['200', '200', '200', '200', '200', '429']);
    expect(others).toHaveLength(1);
    expect(others[0]).toContain("'A-1' │ '12.50'");
    const database = new DatabaseSync(join(folder, 'backend', 'backend.db'));
    const left = database.prepare('select * from outbox').all();
    const rows = database.prepare('select code, amount from purchase').all();
    database.close();
    expect(left).toEqual([]);
    expect(rows).toEqual([
      { code: 'A-1', amount: '12.50' },
      { code: 'A-2', amount: '7' },
    ]);
  });

  /** Writes a program into the file that its first line names. */
  function fileLines(code: string): string {
    const [, name = ''] = /^\/\/ (\w+\.mjs)\n/.exec(code) ?? [];
    return `cat > ${name} <<'END OF FILE'\n${code}END OF FILE`;
  }

  /** Lines of a shell. Express is here without a registry, and the server runs beside the lines, not in a second shell. */
  function shellLines(code: string, port: number): string {
    if (/^node .* server\.mjs\n$/.test(code)) {
      const started = `curl -s -o started.json --retry 50 --retry-delay 1 --retry-connrefused http://127.0.0.1:${port}/`;
      return `PORT=${port} ${code.trim()} > server.log & server=$!; trap "kill $server" EXIT\n${started}`;
    }
    return code
      .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replace(
        /npm install express (.*)/,
        `npm install --silent $1 && ln -s ${NODE_MODULES}/express node_modules/`,
      );
  }
});
