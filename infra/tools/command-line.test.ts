import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../..');
const SCREEN_LINES = 40;
const SIDE_BY_SIDE = 4;

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });
const { scripts } = packageSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

/** The programs of the scripts by the commands that people type. A script with an option is another name of one of them. */
const PROGRAMS = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file = ''] = /^node (\S+\.[jt]s)$/.exec(command) ?? [];
  return file === '' ? [] : [[name === 'start' ? 'npm start' : `npm run ${name}`, file] as const];
});

interface End {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

function run(file: string, option: string): Promise<End> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file, option], { cwd: ROOT, timeout: 90_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

describe('the programs of package.json', () => {
  it('answer --help on one screen', async () => {
    expect(PROGRAMS.length).toBeGreaterThan(20);
    const waiting = [...PROGRAMS];
    const faults: string[] = [];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [command, file] = next;
        const { code, stdout, stderr } = await run(file, '--help');
        const lines = stdout.trimEnd().split('\n');
        const isNamed = `${lines[0]} `.startsWith(`${command} `);
        if (code === 0 && stderr === '' && isNamed && lines.length < SCREEN_LINES) continue;
        faults.push(
          `${command}: exit code ${code}, ${lines.length} lines, the first is "${lines[0]}"; ${stderr}`,
        );
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    expect(faults).toEqual([]);
  });

  it('name an unknown option, print the help, and exit with 2', async () => {
    const { code, stdout, stderr } = await run('infra/main.ts', '--port');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Unknown option '--port'.*\n\nnpm start\n/);
  });
});
