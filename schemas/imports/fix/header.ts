import type { Findings } from './findings.ts';
import type { Limits } from './limits.ts';

/** The header of a file as it will be. */
export interface HeaderPlan {
  /** The names of the columns that stay. */
  readonly names: readonly string[];
  /** True if a name differs from the file's, or a column is left out. */
  readonly isChanged: boolean;
  /** The places of columns that are left out. */
  readonly dropped: ReadonlySet<number>;
  /** The last column that has a name or a value. */
  readonly last: number;
}

/** The columns of a file as it is. */
export interface FileColumns {
  /** One for each column; empty for a column that the header does not have. */
  readonly names: readonly string[];
  /** The number of names in the file. */
  readonly named: number;
  /** The line of the header. */
  readonly line: number;
  /** True if spaces around names come from the form of the file. */
  readonly isPadded: boolean;
  /** True if commas stand between the names. */
  readonly isByComma: boolean;
  /** 1 for each column with a value. */
  readonly filled: Uint8Array;
  readonly hasRows: boolean;
  /** The name of a column without one, by its place. */
  readonly nameOf: (at: number) => string;
  readonly limits: Limits;
}

/** Plans names that the service accepts: each column has one, and no two have the same. */
export function planHeader(findings: Findings, file: FileColumns): HeaderPlan {
  const names = trimmed(findings, { ...file, names: shifted(findings, file) });
  const empty = file.hasRows ? emptyColumns(findings, { ...file, names }) : [];
  const dropped = new Set([...empty, ...tooMany(findings, { ...file, names }, empty)]);
  const named = numbered(
    findings,
    { ...file, names: complete(findings, { ...file, names }, dropped) },
    dropped,
  );
  const isChanged = dropped.size > 0 || named.some((name, at) => name !== file.names[at]);
  const last = names.findLastIndex((_, at) => !empty.includes(at));
  return { names: named.filter((_, at) => !dropped.has(at)), isChanged, dropped, last };
}

type Dropped = ReadonlySet<number>;

/** Gives names to columns without one. */
function complete(
  findings: Findings,
  { names, named, line, nameOf }: FileColumns,
  dropped: Dropped,
): readonly string[] {
  const gaps = names.flatMap((name, at) => (name === '' && !dropped.has(at) ? [at] : []));
  if (gaps.length === 0) return names;
  const taken = new Map(names.map((name) => [name, 1]));
  const whole = [...names];
  for (const at of gaps) whole[at] = unusedName(nameOf(at), taken);
  const examples = gaps.map((at) => whole[at] ?? '');
  // The service accepts a header that is shorter than the rows.
  const fault = gaps.some((at) => at < named) ? 'empty_header' : null;
  if (findings.add('gaps', gaps.length, { examples, line, fault })) return whole;
  return names.slice(0, named);
}

/** Numbers names that occur again. */
function numbered(findings: Findings, { names, line }: FileColumns, dropped: Dropped): readonly string[] {
  const named = [...names];
  const taken = new Map(names.map((name) => [name, 1]));
  const seen = new Set<string>();
  const repeats: string[] = [];
  for (const at of names.keys()) {
    const name = names[at] ?? '';
    if (dropped.has(at) || name === '') continue;
    if (seen.has(name)) {
      named[at] = unusedName(name, taken);
      repeats.push(named[at]);
    }
    seen.add(named[at] ?? '');
  }
  if (repeats.length > 0) {
    findings.add('repeats', repeats.length, { examples: repeats, line, fault: 'duplicate_header' });
  }
  return named;
}

/** Names of a header without one for the first column, as R writes it. */
function shifted(findings: Findings, file: FileColumns): readonly string[] {
  const { names, named, filled, line } = file;
  if (named < 2 || named !== names.length - 1 || filled[named] !== 1 || filled[0] !== 1) return names;
  // The last name can be the one that is missing, or a value of each row has the separator in it.
  const isAgreed = findings.add('shifted', 1, { line, isShown: false });
  return isAgreed ? ['', ...names.slice(0, -1)] : names;
}

function trimmed(findings: Findings, { names, line, isPadded, isByComma }: FileColumns): readonly string[] {
  const without = names.map((name) => name.trim());
  const changed = names.filter((name, at) => name !== without[at]);
  if (changed.length === 0) return names;
  const examples = changed.map((name) => name.trim()).filter((name) => name !== '');
  // A blank before few of the names may be behind a comma that belongs to a name.
  const apart = names.filter((name) => /^ \S/.test(name)).length;
  const isNeeded = isPadded || (isByComma && apart > 0 && apart * 2 < names.length);
  return findings.add('spaces', changed.length, { examples, line, isNeeded, isShown: isPadded })
    ? without
    : names;
}

/** Columns without any value. Those without a name are no use either; a person decides about the others. */
function emptyColumns(findings: Findings, { names, line, filled }: FileColumns): number[] {
  const empty = [...names.keys()].filter((at) => filled[at] !== 1);
  const nameless = empty.filter((at) => names[at]?.trim() === '');
  const valueless = empty.filter((at) => names[at]?.trim() !== '');
  // A header of no name would be no header.
  const leaveNames = (gone: readonly number[]) => names.some((_, at) => !gone.includes(at));
  const dropped: number[] = [];
  if (nameless.length > 0 && leaveNames(nameless)) {
    // Otherwise they get names.
    if (findings.add('emptyColumns', nameless.length, { line })) dropped.push(...nameless);
  }
  if (valueless.length > 0 && leaveNames([...dropped, ...valueless])) {
    const examples = valueless.map((at) => names[at] ?? '');
    if (findings.add('valueless', valueless.length, { examples, line, isNeeded: false })) {
      dropped.push(...valueless);
    }
  }
  return dropped;
}

/** Columns that a person leaves out of a file with more than are accepted: at first the last ones, but none that the page wants. */
function tooMany(findings: Findings, { names, line, limits }: FileColumns, empty: number[]): number[] {
  const { columns: columnsMax, wanted } = limits;
  const kept = [...names.keys()].filter((at) => !empty.includes(at));
  if (kept.length <= columnsMax) return [];
  const { columns, agreed } = findings.choices;
  const first = wanted?.(names) ?? new Set();
  const ordered = [...kept.filter((at) => first.has(at)), ...kept.filter((at) => !first.has(at))];
  const behind = new Set(agreed.get('columns') === true ? ordered.slice(columnsMax) : []);
  const dropped = kept.filter((at) => columns?.get(at) ?? behind.has(at));
  const gone = new Set(dropped);
  findings.add('columns', kept.length, {
    line,
    limit: columnsMax,
    fault: 'too_many_columns',
    isAgreed: kept.length - dropped.length <= columnsMax,
    isDecided: columns !== undefined || agreed.has('columns'),
    parts: kept.map((at) => ({ at, text: names[at] ?? '', isAgreed: gone.has(at) })),
  });
  return dropped;
}

/** A name that no column has: with the first free number behind it. Each name is there with the last number that it got. */
function unusedName(name: string, taken: Map<string, number>): string {
  let number = taken.get(name) ?? 1;
  let unused = name;
  while (taken.has(unused)) {
    number += 1;
    unused = `${name} (${number})`;
  }
  taken.set(name, number).set(unused, 1);
  return unused;
}
