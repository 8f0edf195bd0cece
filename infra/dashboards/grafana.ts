import type { JsonObject } from '../../schemas/base/json.ts';

/** A query of a panel and the text of its legend, with labels as `{{label}}`. */
export type Query = readonly [expression: string, legend: string];

/** A panel as the dashboards declare it. */
export interface PanelSpec {
  readonly title: string;
  /** The text of its tooltip: the meaning of the lines, and what a person looks for. */
  readonly about: string;
  /** A unit of Grafana, such as `reqps`, `s`, `bytes`, `percentunit` and `short`. */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** One large number instead of lines over time. */
  readonly stat?: boolean;
}

export interface DashboardSpec {
  readonly title: string;
  readonly panels: readonly PanelSpec[];
}

export interface GrafanaDashboard extends JsonObject {
  readonly panels: readonly JsonObject[];
}

/** Panels side by side, and the units of Grafana's grid. */
const COLUMNS = 3;
const GRID_WIDTH = 24;
const HEIGHT = 8;
const SCHEMA_VERSION = 39;

const DATA_SOURCE = { type: 'prometheus', uid: '$datasource' };
const METRIC = /\b(?:svc|nodejs|process)[_:][\w:]+(\{)?/g;
const LETTERS = 'ABCDEFGH';

/** Returns a dashboard as Grafana imports it. It asks for the data source and the scrape job. */
export function grafanaDashboard(name: string, { title, panels }: DashboardSpec): GrafanaDashboard {
  return {
    uid: `svc-${name}`,
    title: `svc: ${title}`,
    tags: ['svc'],
    schemaVersion: SCHEMA_VERSION,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    links: [{ type: 'dashboards', tags: ['svc'], title: 'svc', asDropdown: false, keepTime: true }],
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        {
          name: 'job',
          label: 'Job',
          type: 'query',
          datasource: DATA_SOURCE,
          query: { query: 'label_values(svc_ready, job)', refId: 'job' },
          refresh: 1,
          includeAll: true,
          multi: true,
        },
      ],
    },
    panels: panels.map((panel, index) => grafanaPanel(panel, index)),
  };
}

/** The expression for the jobs that the person has chosen: each metric gets the matcher. */
export function scoped(expression: string): string {
  return expression.replaceAll(METRIC, (name, brace?: string) =>
    brace === undefined ? `${name}{job=~"$job"}` : `${name}job=~"$job",`,
  );
}

function grafanaPanel({ title, about, unit, queries, stat = false }: PanelSpec, index: number): JsonObject {
  const width = GRID_WIDTH / COLUMNS;
  return {
    id: index + 1,
    type: stat ? 'stat' : 'timeseries',
    title,
    description: about,
    datasource: DATA_SOURCE,
    gridPos: {
      h: HEIGHT,
      w: width,
      x: (index % COLUMNS) * width,
      y: Math.trunc(index / COLUMNS) * HEIGHT,
    },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: stat ? {} : { legend: { placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(([expression, legend], number) => ({
      refId: LETTERS[number] ?? '',
      expr: scoped(expression),
      legendFormat: legend,
      datasource: DATA_SOURCE,
    })),
  };
}
