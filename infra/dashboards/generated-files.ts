import { stringify } from 'yaml';
import { ruleGroups } from './alerts.ts';
import { DASHBOARDS } from './dashboards.ts';
import { type GrafanaDashboard, grafanaDashboard } from './grafana.ts';

/** Returns the texts of the files of this folder that `npm run interface` writes, by their names. */
export function generatedFiles(): Readonly<Record<string, string>> {
  const dashboards = Object.entries(DASHBOARDS).map(([name, dashboard]) => [
    `${name}.json`,
    jsonText(grafanaDashboard(name, dashboard)),
  ]);
  return {
    ...Object.fromEntries(dashboards),
    'alerts.yaml': prometheusRules(),
    'prometheus-rule.yaml': prometheusRule(),
  };
}

/** One line for each member, and for each panel. */
function jsonText({ panels, ...members }: GrafanaDashboard): string {
  const lines = Object.entries(members).map(([name, value]) => `  "${name}": ${JSON.stringify(value)},`);
  const panelLines = panels.map((panel) => `    ${JSON.stringify(panel)}`);
  return `{\n${lines.join('\n')}\n  "panels": [\n${panelLines.join(',\n')}\n  ]\n}\n`;
}

/** The rules as Prometheus reads them. */
function prometheusRules(): string {
  return `# From alerts.ts, by \`npm run interface\`. The scrape job is called \`svc\`.\n${yamlText({ groups: ruleGroups() })}`;
}

/** The rules as a resource of the Prometheus operator. */
function prometheusRule(): string {
  const manifest = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'svc', labels: { 'app.kubernetes.io/name': 'svc' } },
    spec: { groups: ruleGroups() },
  };
  return `# From alerts.ts, by \`npm run interface\`.\n${yamlText(manifest)}`;
}

function yamlText(value: object): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
