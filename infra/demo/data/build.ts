// Makes the demo's files out of the feed that README.md names: node infra/demo/data/build.ts <earthquakes.json>
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { COLUMNS, type FeedEvent } from './columns.ts';
import { FAULTS } from './faults.ts';

/** The newest events come first in the feed. The last forty of these are the small files' rows. */
const LARGE_ROWS = 900;
const SMALL_ROWS = 40;

const SOURCES = Object.keys(COLUMNS);

const [feed] = argv.slice(2);
if (feed === undefined) throw new Error('naming the feed: node infra/demo/data/build.ts <earthquakes.json>');

const { features } = JSON.parse(readFileSync(feed, 'utf8')) as { features: FeedEvent[] };
const records = features.map((event) => Object.values(COLUMNS).map((cell) => cell(event)));
const small = records.slice(LARGE_ROWS, LARGE_ROWS + SMALL_ROWS);
write('earthquakes.csv', records.slice(0, LARGE_ROWS));
write('earthquakes-corrected.csv', small);
write('earthquakes-faulty.csv', small.map(spoil));

/** A record with the faults of its row, if it has any. */
function spoil(record: readonly string[], index: number): string[] {
  const spoiled = [...record];
  for (const { cell, text } of FAULTS.filter((fault) => fault.row === index + 1)) {
    if (cell === null) spoiled.push(text);
    else spoiled[SOURCES.indexOf(cell.source)] = text;
  }
  return spoiled;
}

/** Writes a file by RFC 4180: records end with CRLF, line ends within a cell stay as they are. */
function write(name: string, rows: readonly (readonly string[])[]): void {
  const lines = [SOURCES, ...rows].map((cells) => `${cells.map(quote).join(',')}\r\n`);
  writeFileSync(join(import.meta.dirname, name), lines.join(''));
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
