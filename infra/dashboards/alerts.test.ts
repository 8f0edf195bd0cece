import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { OBJECTIVES, type Objective, runbookEntry } from '../../schemas/operations/objectives.ts';
import { faultsOf, manifestsOf } from '../deployment/kubernetes/manifests.fixture.ts';
import { generatedFiles } from './generated-files.ts';
import { hasPrometheus, RULES } from './prometheus.fixture.ts';

const RUNBOOK = readFileSync(join(import.meta.dirname, '../docs/runbook.md'), 'utf8');
const UNIT_TESTS = join(import.meta.dirname, 'alerts.test.yaml');

const alertSchema = z.object({
  alert: z.string(),
  labels: z.object({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.object({ summary: z.string(), runbook: z.string() }),
});

const alerts = z
  .object({ groups: z.array(z.object({ rules: z.array(z.looseObject({ alert: z.string().optional() })) })) })
  .parse(parse(readFileSync(RULES, 'utf8')))
  .groups.flatMap((group) => group.rules)
  .filter(({ alert }) => alert !== undefined)
  .map((rule) => alertSchema.parse(rule));

describe('the alerts', () => {
  it.runIf(hasPrometheus())('are rules that Prometheus takes, and fire when they have to', () => {
    for (const words of [
      ['check', 'rules', RULES],
      ['test', 'rules', UNIT_TESTS],
    ]) {
      expect(() => execFileSync('promtool', words, { encoding: 'utf8', stdio: 'pipe' })).not.toThrow();
    }
  });

  it('have a unit test in which they fire', () => {
    const tests = readFileSync(UNIT_TESTS, 'utf8');
    const fires = ({ alert, labels }: (typeof alerts)[number]) =>
      tests.includes(`{alertname="${alert}",severity="${labels.severity}"}`);
    expect(alerts.filter((alert) => !fires(alert))).toEqual([]);
  });

  it('have an entry in the runbook, and the runbook has no other', () => {
    const [, ...entries] = RUNBOOK.split(/^### /m);
    const headings = entries.map((entry) => entry.split('\n')[0]);
    expect(headings).toEqual([...new Set(alerts.map(({ alert }) => words(alert)))]);
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook).toBe(`infra/docs/runbook.md#${runbookEntry(alert)}`);
    }
  });
});

it('the runbook names the share of bad answers of each objective', () => {
  for (const { alert, share, promise } of Object.values<Objective>(OBJECTIVES)) {
    const entry = RUNBOOK.split(`### ${words(alert)}\n`)[1]?.split('**Affected**')[0];
    expect(entry, alert).toContain(`more than ${Number(((1 - share) * 100).toFixed(3))} % of`);
    for (const [time] of promise.matchAll(/\d+ ms/g)) expect(entry).toContain(time);
  }
});

it('the dashboards and the rules are current: `npm run interface` writes them', () => {
  const generated = generatedFiles();
  for (const [name, text] of Object.entries(generated)) {
    expect(readFileSync(join(import.meta.dirname, name), 'utf8'), name).toBe(text);
  }
  const dashboards = Object.keys(generated).filter((name) => name.endsWith('.json'));
  expect(globSync('*.json', { cwd: import.meta.dirname }).sort()).toEqual(dashboards.sort());
});

it('the manifests are named by the kustomization, and what their schemas say', () => {
  const { resources } = z
    .object({ resources: z.array(z.string()) })
    .parse(parse(readFileSync(join(import.meta.dirname, 'kustomization.yaml'), 'utf8')));
  const manifests = resources.flatMap((file) =>
    manifestsOf(readFileSync(join(import.meta.dirname, file), 'utf8')),
  );
  expect(manifests.map(({ kind }) => kind)).toEqual(['NetworkPolicy', 'PodMonitor', 'PrometheusRule']);
  for (const manifest of manifests) expect(faultsOf(manifest)).toEqual([]);
});

/** `ChecksSlow` as the heading `Checks slow`. */
function words(alert: string): string {
  const spaced = alert.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
