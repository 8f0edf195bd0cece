import { type AnyDeclaration, METRICS } from '../../service/metrics/declarations.ts';
import { markdownTable } from '../markdown-table.ts';

/** The comments around the table in infra/docs/metrics.md. */
const PLACE =
  /(<!-- From infra\/service\/metrics\/declarations\.ts, by `npm run interface`\. -->).*?(<!-- end -->)/s;

/**
 * Returns the page with its table of metrics written from their declarations.
 *
 * @throws {Error} if the page has no comments around a table
 */
export function withMetricTable(page: string): string {
  if (!PLACE.test(page)) throw new Error('finding the place of the table');
  return page.replace(PLACE, (_, begin: string, end: string) => `${begin}\n\n${table()}\n${end}`);
}

function table(): string {
  const rows = Object.values<AnyDeclaration>(METRICS).map(({ name, kind, labels, help }) => [
    `\`${name}\``,
    kind,
    labels.map((label) => `\`${label}\``).join(' '),
    help,
  ]);
  return markdownTable(['metric', 'type', 'labels', 'counts'], rows);
}
