import {
  OBJECTIVES,
  type Objective,
  objectiveText,
  runbookEntry,
} from '../../../schemas/operations/objectives.ts';
import { type AnyDeclaration, METRICS } from '../../service/metrics/declarations.ts';
import { markdownTable } from '../markdown-table.ts';

/** The tables of infra/docs/metrics.md, by the file in the comment above each. */
const TABLES: Readonly<Record<string, () => string>> = {
  'infra/service/metrics/declarations.ts': metricTable,
  'schemas/operations/objectives.ts': objectiveTable,
};

/**
 * Returns the page with its tables of metrics and objectives written from their declarations.
 *
 * @throws {Error} if the page has no comments around one of the tables
 */
export function withMetricTables(page: string): string {
  return Object.entries(TABLES).reduce((text, [source, tableText]) => {
    const begin = `<!-- From ${source}, by \`npm run interface\`. -->`;
    const [from, to] = [text.indexOf(begin), text.indexOf('<!-- end -->', text.indexOf(begin))];
    if (from === -1 || to === -1) throw new Error(`finding the place of the table from ${source}`);
    return `${text.slice(0, from)}${begin}\n\n${tableText()}\n${text.slice(to)}`;
  }, page);
}

function metricTable(): string {
  const rows = Object.values<AnyDeclaration>(METRICS).map(({ name, kind, labels, help }) => [
    `\`${name}\``,
    kind,
    labels.map((label) => `\`${label}\``).join(' '),
    help,
  ]);
  return markdownTable(['metric', 'type', 'labels', 'counts'], rows);
}

function objectiveTable(): string {
  const rows = Object.values<Objective>(OBJECTIVES).map((objective) => [
    objectiveText(objective),
    `[${objective.alert}](runbook.md#${runbookEntry(objective.alert)})`,
  ]);
  return markdownTable(['objective over 30 days', 'alert'], rows);
}
