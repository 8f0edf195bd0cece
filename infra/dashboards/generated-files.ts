import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { DASHBOARDS } from './dashboards.ts';
import { type GrafanaDashboard, grafanaDashboard } from './grafana.ts';

const RULES = join(import.meta.dirname, 'alerts.yaml');

/** Returns the texts of the files of this folder that `npm run interface` writes, by their names. */
export function generatedFiles(): Readonly<Record<string, string>> {
  const dashboards = Object.entries(DASHBOARDS).map(([name, dashboard]) => [
    `${name}.json`,
    jsonText(grafanaDashboard(name, dashboard)),
  ]);
  return { ...Object.fromEntries(dashboards), 'prometheus-rule.yaml': prometheusRule() };
}

/** One line for each member, and for each panel. */
function jsonText({ panels, ...members }: GrafanaDashboard): string {
  const lines = Object.entries(members).map(([name, value]) => `  "${name}": ${JSON.stringify(value)},`);
  const panelLines = panels.map((panel) => `    ${JSON.stringify(panel)}`);
  return `{\n${lines.join('\n')}\n  "panels": [\n${panelLines.join(',\n')}\n  ]\n}\n`;
}

/** The rules as a resource of the Prometheus operator. */
function prometheusRule(): string {
  const { groups } = parse(readFileSync(RULES, 'utf8')) as { readonly groups: readonly object[] };
  const manifest = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'svc', labels: { 'app.kubernetes.io/name': 'svc' } },
    spec: { groups },
  };
  return `# From alerts.yaml, by \`npm run interface\`.\n${stringify(manifest, { lineWidth: 0 })}`;
}
