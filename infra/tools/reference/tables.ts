import { ERRORS, isRetriable } from '../../../schemas/base/error-codes.ts';
import type { Limit } from '../../../schemas/base/limit.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import { FILE_FAULTS } from '../../../schemas/imports/file-fault-texts.ts';
import { LIMIT_GROUPS } from '../../../schemas/limits.ts';
import { PRODUCTS } from '../../../schemas/products.ts';
import { describeEndpoints } from '../../service/interface.ts';
import { markdownTable } from '../markdown-table.ts';
import { commandSections, exitCodeTable, globalOptionTable } from './commands.ts';

const ENDPOINTS = new Map(describeEndpoints().map((endpoint) => [endpoint.name, endpoint]));
/** The names of operations by their tag. */
const OPERATIONS = Map.groupBy(ENDPOINTS.keys(), (name) => ENDPOINTS.get(name)?.tag);

/**
 * A place for a table: its kind; and the operations, the groups of limits, the products or the commands that it lists. The tag
 * of a route stands for all its operations.
 */
const PLACE =
  /(<!-- (endpoints|errors|limits|plan limits|commands|exit codes|global options|file faults): ([^>]*?) -->)\n.*?(<!-- end -->)/gs;

/**
 * Returns a page of the reference with its tables of endpoints and limits written from the route table and the default limits.
 *
 * @throws {Error} if a page names an operation, a group of limits or a product that does not exist
 */
export function withReferenceTables(page: string): string {
  return page.replaceAll(PLACE, (_, begin: string, kind: string, list: string, end: string) => {
    return `${begin}\n\n${textOf(kind, list)}\n${end}`;
  });
}

/** The names that the tables of a page list, by the kind of the table. */
export function namesOf(page: string, wanted: 'endpoints' | 'limits' | 'plan limits'): string[] {
  return [...page.matchAll(PLACE)]
    .filter(([, , kind]) => kind === wanted)
    .flatMap(([, , kind = '', list = '']) => namesIn(kind, list));
}

function namesIn(kind: string, list: string): string[] {
  const words = wordsIn(list);
  return kind === 'endpoints' ? words.flatMap((word) => OPERATIONS.get(word) ?? [word]) : words;
}

/** The names of the commands that a page describes. */
export function commandsOf(page: string): string[] {
  return [...page.matchAll(PLACE)].flatMap(([, , kind, list = '']) =>
    kind === 'commands' ? wordsIn(list) : [],
  );
}

/** Names of commands and tags have spaces, so commas part them. */
function wordsIn(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}

function textOf(kind: string, list: string): string {
  if (kind === 'commands') return commandSections(wordsIn(list));
  if (kind === 'exit codes') return exitCodeTable();
  if (kind === 'global options') return globalOptionTable();
  if (kind === 'errors') return errorTable();
  if (kind === 'file faults') return fileFaultTable();
  return tableOf(kind, namesIn(kind, list));
}

function tableOf(kind: string, names: readonly string[]): string {
  if (kind === 'endpoints') return endpointTable(names);
  return kind === 'limits' ? limitTable(names) : planLimitTable(names);
}

function endpointTable(names: readonly string[]): string {
  return markdownTable(
    ['request', 'purpose', 'caller', 'success', 'errors besides the common ones'],
    names.map((name) => {
      const endpoint = ENDPOINTS.get(name);
      if (endpoint === undefined) throw new Error(`finding the operation ${name}`);
      const { request, summary, caller, status, codes } = endpoint;
      return [
        `\`${request}\``,
        summary,
        caller,
        String(status),
        codes.map((code) => `\`${code}\``).join(', '),
      ];
    }),
  );
}

function errorTable(): string {
  return markdownTable(
    ['code', 'status', 'retriable', 'meaning'],
    Object.entries(ERRORS).map(([code, { status, meaning }]) => [
      `\`${code}\``,
      String(status),
      isRetriable(code) ? 'yes' : 'no',
      meaning,
    ]),
  );
}

function fileFaultTable(): string {
  return markdownTable(
    ['`failure.code`', 'meaning'],
    Object.entries(FILE_FAULTS).map(([code, meaning]) => [`\`${code}\``, meaning]),
  );
}

function limitTable(groups: readonly string[]): string {
  return markdownTable(
    ['limit', 'default', 'name in `SVC_LIMITS_FILE`'],
    groups.flatMap((group) => {
      const limits = LIMIT_GROUPS[group];
      if (limits === undefined) throw new Error(`finding the limits ${group}`);
      return Object.entries(limits.shape).map(([name, limit]) => [
        limit.description ?? '',
        defaultOf(limit, name),
        `\`${group}.${name}\``,
      ]);
    }),
  );
}

function planLimitTable(products: readonly string[]): string {
  return markdownTable(
    ['limit', 'preview', 'Free', 'name in `SVC_LIMITS_FILE`'],
    products.flatMap((wanted) => {
      const product = PRODUCTS.find(({ name }) => name === wanted);
      if (product === undefined) throw new Error(`finding the product ${wanted}`);
      return Object.entries(product.planLimits).map(([name, { preview, free }]) => [
        preview.description ?? '',
        defaultOf(preview, name),
        defaultOf(free, name),
        `\`plans.{preview,free}.${name}\``,
      ]);
    }),
  );
}

/** The default in the unit that the name implies: times end with `Ms`, sizes with `Bytes` or bytes per second. */
function defaultOf(limit: Limit, name: string): string {
  const value = limit.parse(undefined);
  if (name.endsWith('Ms')) return inUnit(value, TIME_UNITS);
  return /bytes/i.test(name) ? inUnit(value, SIZE_UNITS) : value.toLocaleString('en-US');
}

const TIME_UNITS: readonly [string, number][] = [
  ['days', DAY_MS],
  ['hours', HOUR_MS],
  ['minutes', MINUTE_MS],
  ['seconds', SECOND_MS],
];

const SIZE_UNITS: readonly [string, number][] = [
  ['MiB', 1_048_576],
  ['KiB', 1_024],
];

/** The value in the largest unit that divides it. */
function inUnit(value: number, units: readonly [string, number][]): string {
  const [unit, size] = units.find(([, amount]) => value % amount === 0) ?? ['', 1];
  const count = value / size;
  const name = count === 1 ? unit.replace(/s$/, '') : unit;
  return `${count.toLocaleString('en-US')} ${name}`.trim();
}
