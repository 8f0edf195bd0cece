import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../schemas/limits.ts';
import { describeEndpoints } from '../../service/interface.ts';
import { markdownTable } from '../markdown-table.ts';
import {
  isLimitName,
  isPlanLimitName,
  LIMIT_TEXTS,
  type LimitName,
  PLAN_LIMIT_TEXTS,
} from './limit-texts.ts';

/** A place for a table: its kind, and the names that it lists. */
const PLACE = /(<!-- (endpoints|limits|plan limits): ([^>]*?) -->)\n.*?(<!-- end -->)/gs;

/**
 * Returns a page of the reference with its tables of endpoints and limits written from the route table and the default limits.
 *
 * @throws {Error} if a page names an operation or a limit that does not exist
 */
export function withReferenceTables(page: string): string {
  return page.replaceAll(PLACE, (_, begin: string, kind: string, list: string, end: string) => {
    return `${begin}\n\n${tableOf(kind, namesIn(list))}\n${end}`;
  });
}

/** The names that the tables of a page list, by the kind of the table. */
export function namesOf(page: string, wanted: 'endpoints' | 'limits' | 'plan limits'): string[] {
  return [...page.matchAll(PLACE)]
    .filter(([, , kind]) => kind === wanted)
    .flatMap(([, , , list = '']) => namesIn(list));
}

function namesIn(list: string): string[] {
  return list.split(/[\s,]+/).filter((name) => name !== '');
}

function tableOf(kind: string, names: readonly string[]): string {
  if (kind === 'endpoints') return endpointTable(names);
  return kind === 'limits' ? limitTable(names) : planLimitTable(names);
}

function endpointTable(names: readonly string[]): string {
  const endpoints = new Map(describeEndpoints().map((endpoint) => [endpoint.name, endpoint]));
  return markdownTable(
    ['request', 'purpose', 'caller', 'success', 'errors besides the common ones'],
    names.map((name) => {
      const endpoint = endpoints.get(name);
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

function limitTable(names: readonly string[]): string {
  return markdownTable(
    ['limit', 'default', 'name in `SVC_LIMITS_FILE`'],
    names.map((name) => {
      if (!isLimitName(name)) throw new Error(`finding the limit ${name}`);
      return [LIMIT_TEXTS[name], valueText(name, limitValue(DEFAULT_LIMITS, name)), `\`${name}\``];
    }),
  );
}

function limitValue(limits: Limits, name: LimitName): number {
  const [group = '', member = ''] = name.split('.');
  const groups: Readonly<Record<string, object>> = limits;
  const value = Object.entries(groups[group] ?? {}).find(([key]) => key === member)?.[1];
  if (typeof value !== 'number') throw new Error(`reading the limit ${name}`);
  return value;
}

function planLimitTable(names: readonly string[]): string {
  const { preview, free } = DEFAULT_LIMITS.plans;
  return markdownTable(
    ['limit', 'preview', 'Free', 'name in `SVC_LIMITS_FILE`'],
    names.map((name) => {
      if (!isPlanLimitName(name)) throw new Error(`finding the limit ${name} of a plan`);
      const values = [preview[name], free[name]].map((value) => valueText(name, value));
      return [PLAN_LIMIT_TEXTS[name], ...values, `\`plans.{preview,free}.${name}\``];
    }),
  );
}

/** A limit in the unit that its name implies: times end with `Ms`, sizes with `Bytes` or bytes per second. */
function valueText(name: string, value: number): string {
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
