import { markdownTable } from '../markdown-table.ts';
import { AT_THE_BOUND, ENDLESS_LOOPS, REQUESTS } from './at-the-bound.ts';
import { type Bound, readBounds } from './read-bounds.ts';

/** The endings of the names of times; all other bounds are counts or sizes. */
const TIME = /_(MS|MS_FIRST|MS_MAX|SECONDS|SECONDS_MAX|DAYS|MONTHS)$/;

const BEGIN = '<!-- From the sources, by `npm run interface`. -->';
const END = '<!-- The end of what is made. -->';

/** Returns the document with current tables. */
export function withTables(document: string): string {
  const [before, after] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (before === -1 || after === -1) throw new Error('looking for the tables of bounds');
  return `${document.slice(0, before)}${BEGIN}\n\n${tables()}\n${document.slice(after)}`;
}

/** The places of bounds of which it is not said what happens there. */
export function unexplained(): string[] {
  return amounts()
    .filter((bound) => atTheBound(bound) === null)
    .map(placeOf);
}

/** Sentences about bounds that are not there any more. */
export function outdated(): string[] {
  const places = new Set(amounts().map(placeOf));
  return Object.keys(AT_THE_BOUND).filter((place) => !places.has(place));
}

function tables(): string {
  return [
    '## Queues, buffers, batches, retries, rows and sizes',
    '',
    markdownTable(
      ['bound', 'value', 'of what', 'what happens there', 'set in'],
      amounts().map((bound) => [...cells(bound), atTheBound(bound) ?? '', `\`${bound.file}\``]),
    ),
    '## Times',
    '',
    markdownTable(
      ['bound', 'value', 'of what', 'set in'],
      times().map((bound) => [...cells(bound), `\`${bound.file}\``]),
    ),
    '## Loops without a condition',
    '',
    markdownTable(
      ['in', 'what ends it'],
      Object.entries(ENDLESS_LOOPS).map(([file, end]) => [`\`${file}\``, end]),
    ),
  ].join('\n');
}

function amounts(): Bound[] {
  return readBounds().filter(({ name }) => !TIME.test(name));
}

function times(): Bound[] {
  return readBounds().filter(({ name }) => TIME.test(name));
}

function atTheBound(bound: Bound): string | null {
  const own = AT_THE_BOUND[placeOf(bound)];
  if (own !== undefined) return own;
  return REQUESTS.test(bound.file) || /_DEFAULT$/.test(bound.name)
    ? 'A request or setting beyond it is refused.'
    : null;
}

function placeOf({ file, name }: Bound): string {
  return `${file}#${name}`;
}

function cells({ name, value, comment }: Bound): string[] {
  return [`\`${name}\``, value.toLocaleString('en-US'), comment];
}
