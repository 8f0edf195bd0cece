import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DASHBOARDS } from '../dashboards/dashboards.ts';
import { findVerb } from '../tools/ops/help.ts';
import { readVerbLine } from '../tools/ops/read-line.ts';
import { VERBS } from '../tools/ops/verbs.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const pageOf = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const RUNBOOK = pageOf('runbook.md');

const ENTRIES = RUNBOOK.split(/^### /m).slice(1);

/** The words after `npm run ops --`, of each command in a page. */
function commandsIn(page: string): string[][] {
  return [...pageOf(page).matchAll(/npm run ops -- ([^`\n]+)/g)].map(([, words = '']) => words.split(' '));
}

describe('the runbook', () => {
  it.each(ENTRIES.map((entry) => [entry.split('\n')[0], entry]))('answers what it has to: %s', (_, entry) => {
    const answers = [...entry.matchAll(/^\*\*(\w+)\*\*: \S/gm)].map(([, answer]) => answer);
    expect(answers).toEqual(['Means', 'Affected', 'Check', 'Do', 'Over']);
  });

  it('names messages of the log that the program writes', () => {
    const folders = 'gateway,processors,infra/engines,infra/service';
    const sources = globSync(`{${folders}}/**/*.ts`, {
      cwd: ROOT,
      exclude: (name) => name.endsWith('.test.ts'),
    })
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .join('\n');
    const ofKubernetes = 'OOMKilled';
    const named = [...RUNBOOK.matchAll(/`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`/g)].map(([, name = '']) => name);
    expect(named).toContain('RecordHaltsPartition');
    expect(named.filter((name) => name !== ofKubernetes && !sources.includes(`'${name}'`))).toEqual([]);
  });

  it('names dashboards that are there', () => {
    const titles = Object.values(DASHBOARDS).map(({ title }) => title);
    const named = [...RUNBOOK.matchAll(/_svc: ([a-z ]+)_/g)].map(([, title]) => title);
    expect(named.filter((title) => !titles.some((each) => each === title))).toEqual([]);
    expect(new Set(named).size).toBe(titles.length);
  });
});

it.each(globSync('*.md', { cwd: import.meta.dirname }).filter((page) => commandsIn(page).length > 0))(
  'npm run ops takes the commands of %s',
  (page) => {
    for (const words of commandsIn(page)) {
      const verb = findVerb(VERBS, words);
      const rest = words.slice(verb.name.split(' ').length);
      // A sentence may name a verb without its arguments.
      if (rest.length > 0) readVerbLine(verb, rest);
    }
  },
);
