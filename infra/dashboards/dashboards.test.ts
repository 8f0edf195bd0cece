import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type AnyDeclaration, METRICS } from '../service/metrics/declarations.ts';
import { ChecklistsCustomer } from '../testing/e2e/checklists/checklists-customer.fixture.ts';
import { CheckCustomer, headingFlow } from '../testing/e2e/checks/checks-customer.fixture.ts';
import { ImportsCustomer } from '../testing/e2e/imports/imports-customer.fixture.ts';
import { LimiterService } from '../testing/e2e/limits/limiter-service.fixture.ts';
import { ServiceInProcess } from '../testing/e2e/service-in-process.fixture.ts';
import { DASHBOARDS } from './dashboards.ts';
import { scoped } from './grafana.ts';
import { hasPrometheus, Prometheus, RULES } from './prometheus.fixture.ts';

/** Until everything was read twice, on a busy machine. */
const SOON = { timeout: 90_000, interval: 1_000 };

const ruleSchema = z.union([
  z.object({ record: z.string(), expr: z.string() }),
  z.object({ alert: z.string(), expr: z.string() }),
]);
const rules = z
  .object({ groups: z.array(z.object({ rules: z.array(ruleSchema) })) })
  .parse(parse(readFileSync(RULES, 'utf8')))
  .groups.flatMap((group) => group.rules);

const panels = Object.values(DASHBOARDS).flatMap(({ title, panels: own }) =>
  own.flatMap(({ title: panel, queries }) =>
    queries.map(([expression, legend]) => ({ name: `${title}: ${panel}: ${legend}`, expression })),
  ),
);

/** Services, one for each product, each of which has done what its metrics count. */
async function loadedServices(): Promise<{ readonly services: readonly ServiceInProcess[] }> {
  const limiter = await LimiterService.start();
  const { key } = await limiter.newKey('test');
  for (const changes of [{}, { limit: 1 }, { limit: 1 }]) await limiter.check(key, changes);
  await limiter.check(`${key.slice(0, -1)}x`);

  const imports = await ImportsCustomer.start([{ key: 'amount', type: 'integer', required: true }]);
  const columns = [{ source: 'a', target: 'amount' }];
  await imports.validated(await imports.uploaded(Buffer.from('a\nx\n'), columns));
  const importId = await imports.approved(Buffer.from('a\n1\n2\n'), columns);
  await imports.batch(await imports.newCapability(), importId, 0);

  const checklists = await ChecklistsCustomer.of(await ServiceInProcess.start(), ['first']);
  await checklists.token('ada');
  await checklists.event('ada', 'first');
  await checklists.revise(7, ['first', 'second']);

  const checks = await CheckCustomer.start();
  checks.site.page('/', '<!doctype html><title>Home</title><h1>Home</h1>');
  const originId = await checks.prove();
  const { body } = await checks.createSuite(originId, [headingFlow(`${checks.site.origin}/`, 'Home')]);
  await checks.check(body.suiteId);
  await checks.site.close();
  return { services: [limiter.main, imports.service, checklists.service, checks.service] };
}

describe.runIf(hasPrometheus())('a Prometheus that reads services under a little load', () => {
  let services: readonly ServiceInProcess[] = [];
  let prometheus: Prometheus;

  beforeAll(async () => {
    ({ services } = await loadedServices());
    prometheus = await Prometheus.start(services.map(({ url }) => new URL(url).host));
  });
  afterAll(async () => {
    await prometheus?.dispose();
    for (const service of services) await service.dispose();
  });

  async function without<Named extends { readonly expression: string }>(
    named: readonly Named[],
  ): Promise<Named[]> {
    const found = await Promise.all(named.map(({ expression }) => prometheus.query(expression)));
    return named.filter((_, index) => found[index]?.length === 0);
  }

  it('finds something for every query of every panel', async () => {
    const queries = panels.map(({ name, expression }) => ({
      name,
      expression: scoped(expression).replaceAll('$job', 'svc').replaceAll('$__rate_interval', '5m'),
    }));
    await expect.poll(() => without(queries), SOON).toEqual([]);
  });

  it('finds something for every recorded rule', async () => {
    const recorded = rules.flatMap((rule) =>
      'record' in rule ? [{ name: rule.record, expression: rule.expr }] : [],
    );
    expect(recorded.length).toBeGreaterThan(0);
    await expect.poll(() => without(recorded), SOON).toEqual([]);
  });

  it('finds what each alert looks at: its metrics, and the values of its labels or their description', async () => {
    const selectors = rules.flatMap((rule) => ('alert' in rule ? selectorsOf(rule.expr) : []));
    expect(selectors.length).toBeGreaterThan(0);
    await expect.poll(() => without(selectors.map(asMetric)), SOON).toEqual([]);
    const rare = await without(selectors);
    expect(rare.filter((selector) => !isDescribed(selector))).toEqual([]);
  });
});

/** A selector of an alert, such as `svc_ready{job="svc"}`. */
interface Selector {
  readonly expression: string;
  readonly metric: string;
  /** The values that its matchers name. */
  readonly values: readonly string[];
}

function selectorsOf(expression: string): Selector[] {
  return [...expression.matchAll(/\b((?:svc|process)[_:][\w:]+|up)(\{[^}]*\})?/g)].map(
    ([selector, metric = '', matchers = '']) => ({
      expression: selector,
      metric,
      values: [...matchers.matchAll(/"([^"]+)"/g)].flatMap(([, value = '']) => value.split('|')),
    }),
  );
}

function asMetric({ metric }: Selector) {
  return { expression: metric };
}

/** True if the help of the metric names the values: a little load makes no commit fail. */
function isDescribed({ metric, values }: Selector): boolean {
  const declaration = Object.values<AnyDeclaration>(METRICS).find(
    ({ name }) => name === metric.replace(/_(count|sum|bucket)$/, ''),
  );
  return values.every((value) => declaration?.help.includes(`\`${value}\``) === true);
}
