// Runs the code above the first section of each guide, behind the blocks that make what it needs.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, folderWithClient, readGuide } from '../../../docs/guide-code.fixture.ts';
import { freePort } from '../../../tools/service-process/service-process.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { type Block, firstScreenOf, Reader, type Shell, shellCode } from './tutorials.fixture.ts';

const BASH: Shell = { name: 'bash', command: ['bash', '-eu'] };

/** The value of a field in a file of the reader. */
const field = (name: string, file: string) => `$(sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/' ${file})`;

interface Screen {
  /** Variables of the first screen that the other blocks do not export. */
  readonly variables: Readonly<Record<string, string>>;
  /** The output of each block. */
  readonly printed: RegExp;
  /** The end of the other blocks, before what would end the data. */
  readonly until?: string;
}

const PROJECT = { SVC_URL: '$BASE', SVC_CREDENTIAL: field('credential', 'workspace.json') };

const SCREENS: Readonly<Record<string, Screen>> = {
  'rate-limits.md': {
    variables: { LIMITER_URL: '$BASE', LIMITER_KEY: '$(cat limiter-key)' },
    printed: /let through|"allowed":true,"remaining":\d,"limit":5/,
  },
  'checklist.md': {
    variables: { ...PROJECT, ONBOARDING_SECRET: 'secret of the guide' },
    printed: /^(recorded|already|completed)$|"outcome":"(recorded|completed)"/m,
  },
  'feedback.md': {
    variables: PROJECT,
    printed: /<script async src=\\?"http\S+loader\.v1\.js\\?"><\/script>/,
  },
  'csv-import.md': {
    variables: { INGEST_URL: '$BASE', CAPABILITY: field('capability', 'capability.json') },
    printed: /^[0-9a-f]{64} 2$|"imports":\[\{"importId"/m,
    until: 'curl -K backend.curl "$DELIVERY',
  },
  'browser-checks.md': { variables: PROJECT, printed: /^verified$|"status":"queued"/m },
};

let library: string;
let service: ServiceInProcess;
let reader: Reader;
beforeAll(() => {
  library = folderWithClient();
  writeFileSync(
    join(library, 'svc_limits.py'),
    codeOf(readGuide('rate-limits.md'), 'python', 'import ipaddress'),
  );
});
afterAll(() => rmSync(library, { recursive: true }));
afterEach(async () => {
  reader.dispose();
  await service.dispose();
});

/** The line that runs a block. Functions of a block are called as a backend calls them. */
function lineOf({ fence, code }: Block): string {
  if (fence === 'sh tab=curl') return code;
  const isTypeScript = fence === 'ts tab=TypeScript';
  const call = /isAllowed/.test(code)
    ? "\nif (await isAllowed('user-42')) console.log('let through');\n"
    : '\nelse:\n    print("let through")\n';
  const file = join(library, isTypeScript ? 'first.ts' : 'first.py');
  writeFileSync(file, /isAllowed|is_allowed/.test(code) ? code.trimEnd() + call : code);
  return `${isTypeScript ? 'node' : 'python3'} ${file}\n`;
}

const CASES = Object.entries(SCREENS).flatMap(([name, screen]) =>
  ['ts tab=TypeScript', 'python tab=Python', 'sh tab=curl'].map((fence) => ({ name, fence, screen })),
);

describe('the code that stays', () => {
  it.each(CASES)('of $name runs in the block "$fence"', async ({ name, fence, screen }) => {
    const port = await freePort();
    service = await ServiceInProcess.start({
      environment: { SVC_ALLOW_LOOPBACK: '1', SVC_LOOPBACK_PORTS: String(port) },
    });
    reader = new Reader(service.setUpLink);
    const blocks = firstScreenOf(name, service.url).filter((block) => block.fence === fence);
    expect(blocks).toHaveLength(1);
    const [made = ''] = shellCode(name, service.url).split(screen.until ?? '\0', 1);
    const exports = Object.entries(screen.variables).map(
      ([variable, value]) => `export ${variable}="${value}"`,
    );
    const stopped = name === 'browser-checks.md' ? 'kill $(cat server.pid)' : '';
    const code = [made, 'echo THE FIRST SCREEN', ...exports, ...blocks.map(lineOf), stopped].join('\n');
    const local = code.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);
    const output = await reader.paste(BASH, local.replace('http.server 3000', `http.server ${port}`));
    const [, printed = ''] = output.split('THE FIRST SCREEN\n');
    expect(printed).toMatch(screen.printed);
  });
});
