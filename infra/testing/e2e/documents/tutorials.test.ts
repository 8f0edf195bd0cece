// Pastes the blocks of README, the quick start, the guides and the tutorial for a backend into shells, against the real service.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../tools/service-process/service-process.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { type Block, blocksOf, Reader, SHELLS, type Shell, shellCode } from './tutorials.fixture.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const [BASH] = SHELLS as [Shell];

let service: ServiceInProcess;
let reader: Reader;
async function start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  service = await ServiceInProcess.start({ environment });
  reader = new Reader(service.setUpLink);
}
afterEach(async () => {
  reader.dispose();
  await service.dispose();
});

/** The blocks of a page with the address of the service. */
const blocks = (name: string) => blocksOf(name, service.url);

describe('the quick start', () => {
  beforeEach(() => start());

  it.each([
    ['js tab=JavaScript', 'mjs', 'node'],
    ['python tab=Python', 'py', 'python3'],
  ])('ends with a completed step in the block "%s"', async (fence, end, program) => {
    const [block, ...others] = blocks('quick-start.md').filter((each) => each.fence === fence);
    expect(others).toEqual([]);
    writeFileSync(join(reader.folder, `first.${end}`), block?.code ?? '');
    expect(await reader.paste(BASH, `${program} first.${end}`)).toContain('completed');
  });
});

describe.each(SHELLS)('pasted into $name', (shell) => {
  it.each([
    ['quick-start.md', ['"outcome":"completed"']],
    ['checklist.md', ['"outcome":"completed"', 'HTTP/1.1 200 OK', '"enrollments":1']],
    ['feedback.md', ['loader.v1.js"></script>', '"receivedAt"', '"received":true']],
    ['rate-limits.md', ['"allowed":true,"remaining":4', '"allowed":true,"remaining":3']],
    ['csv-import.md', ['"status":"delivered"', '"status":"erased"']],
  ])('%s prints what it promises, twice, and shows no secret', async (name, expected) => {
    await start();
    const code = shellCode(name, service.url);
    const printed = [await reader.paste(shell, code), await reader.paste(shell, code)].join('\n');
    for (const part of expected) expect(printed).toContain(part);
    expect(reader.exposed()).toEqual([]);
  });

  it('the first request of README makes a workspace, and shows no secret', async () => {
    await start();
    const [, code = ''] =
      /^```sh\n(umask .*?)^```$/ms.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
    expect(await reader.paste(shell, code.replaceAll('http://127.0.0.1:8787', service.url))).toBe('');
    const made = JSON.parse(readFileSync(join(reader.folder, '.data/first-workspace.json'), 'utf8'));
    expect(made).toMatchObject({ workspaceId: expect.stringMatching(/^wks_/) });
    expect(reader.exposed()).toEqual([]);
  });

  it('the guide to browser checks checks a page of this machine', async () => {
    const port = await freePort();
    await start({ SVC_ALLOW_LOOPBACK: '1', SVC_LOOPBACK_PORTS: String(port) });
    const started = blocks('browser-checks.md').map(({ code }) => code);
    expect(started).toContain('SVC_ALLOW_LOOPBACK=1 SVC_LOOPBACK_PORTS=3000 npm start\n');
    const code = shellCode('browser-checks.md', service.url)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replace('http.server 3000', `http.server ${port}`);
    const printed = await reader.paste(shell, `${code}\nkill $(cat server.pid)\n`);
    expect(printed).toContain('"verified":true');
    expect(reader.exposed()).toEqual([]);
  });

  it('the tutorial for a backend limits a route, reports a step and delivers an import', async () => {
    await start();
    const port = await freePort();
    const lines = blocks('tutorials/backend.md').map((block) => linesOf(block, port));
    const stopped = 'kill $(cat server.pid)';
    const printed = await reader.paste(shell, [...lines, stopped].join('\n'));
    const [limited = '', ...others] = printed.split('project completed\n');
    expect(printed).toContain('project completed');
    expect(limited.match(/^\d{3}$/gm)).toEqual(['200', '200', '200', '200', '200', '429']);
    expect(others).toHaveLength(1);
    expect(others[0]).toContain("'A-1' │ '12.50'");
    const database = new DatabaseSync(join(reader.folder, 'backend', 'backend.db'));
    const left = database.prepare('select * from outbox').all();
    const rows = database.prepare('select code, amount from purchase').all();
    database.close();
    expect(left).toEqual([]);
    expect(rows).toEqual([
      { code: 'A-1', amount: '12.50' },
      { code: 'A-2', amount: '7' },
    ]);
    expect(reader.exposed()).toEqual([]);
  });
});

/** Lines for a shell. Programs are written into the files that they name, Express is here without a registry, and the server runs beside the lines. */
function linesOf({ fence, code }: Block, port: number): string {
  const [, name] = /^\/\/ (\w+\.mjs)\n/.exec(code) ?? [];
  if (fence === 'js') return `echo ${Buffer.from(code).toString('base64')} | base64 -d > ${name}`;
  if (/^node .* server\.mjs\n$/.test(code)) {
    const started = `curl -s -o started.json --retry 50 --retry-delay 1 --retry-connrefused http://127.0.0.1:${port}/`;
    return `sh -c 'PORT=${port} ${code.trim()} > server.log & echo $! > server.pid'\n${started}`;
  }
  return code
    .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace(
      /npm install express (.*)/,
      `npm install --silent $1; ln -s ${ROOT}/node_modules/express node_modules/`,
    );
}

it('no block for a shell has a comment, which zsh takes as a command or an argument', () => {
  const pages = globSync(
    ['README.md', 'CONTRIBUTING.md', 'infra/docs/**/*.md', 'infra/examples/*.md', 'cli/client/*.md'],
    {
      cwd: ROOT,
    },
  );
  const commented = pages.flatMap((name) =>
    [...readFileSync(join(ROOT, name), 'utf8').matchAll(/^```sh\b.*?\n(.*?)^```$/gms)]
      .flatMap(([, code = '']) => code.split('\n'))
      .filter((line) => /(^|\s)#/.test(line))
      .map((line) => `${name}: ${line}`),
  );
  expect(commented).toEqual([]);
});
