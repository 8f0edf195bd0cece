import type { Findings } from './findings.ts';

/** The header of a file as it will be. */
export interface HeaderPlan {
  readonly names: readonly string[];
  /** True if a name differs from the file's. */
  readonly isRenamed: boolean;
  /** The places of columns that are left out. */
  readonly dropped: readonly number[];
}

/** The columns of a file as it is. */
export interface FileColumns {
  readonly names: readonly string[];
  /** The line of the header. */
  readonly line: number;
  /** 1 for each column with a value. */
  readonly filled: Uint8Array;
  /** The number of fields that most rows have. */
  readonly columns: number;
  readonly hasRows: boolean;
}

/** Plans names that the service accepts: each column has one, and no two have the same. */
export function planHeader(findings: Findings, file: FileColumns): HeaderPlan {
  const { line } = file;
  const names = trimmed(findings, file);
  const dropped = file.hasRows ? emptyColumns(findings, { ...file, names }) : [];
  const kept = (at: number): boolean => !dropped.includes(at);
  const gaps = names.flatMap((name, at) => (name === '' && kept(at) ? [at] : []));
  const named = [...names];
  const taken = new Set(names);
  for (const at of gaps) named[at] = unusedName(`Column ${at + 1}`, taken);
  const examples = gaps.map((at) => named[at] ?? '');
  if (gaps.length > 0) findings.add('gaps', gaps.length, { examples, line, fault: 'empty_header' });
  const seen = new Set<string>();
  const repeats: string[] = [];
  for (const [at, name] of named.entries()) {
    if (!kept(at)) continue;
    if (seen.has(name)) {
      named[at] = unusedName(name, taken);
      repeats.push(named[at]);
    }
    seen.add(named[at] ?? '');
  }
  if (repeats.length > 0) {
    findings.add('repeats', repeats.length, { examples: repeats, line, fault: 'duplicate_header' });
  }
  const isRenamed = named.some((name, at) => name !== file.names[at]);
  return { names: named.filter((_, at) => kept(at)), isRenamed, dropped };
}

function trimmed(findings: Findings, { names, line }: FileColumns): readonly string[] {
  const without = names.map((name) => name.trim());
  const changed = names.filter((name, at) => name !== without[at]);
  if (changed.length === 0) return names;
  const examples = changed.map((name) => name.trim()).filter((name) => name !== '');
  return findings.add('spaces', changed.length, { examples, line, isNeeded: false }) ? without : names;
}

/** Columns without any value. Those without a name are no use either; a person decides about the others. */
function emptyColumns(findings: Findings, { names, line, filled, columns }: FileColumns): number[] {
  const all = Math.max(names.length, columns);
  const empty = Array.from({ length: all }, (_, at) => at).filter((at) => filled[at] !== 1);
  const nameless = empty.filter((at) => (names[at] ?? '').trim() === '');
  const valueless = empty.filter((at) => (names[at] ?? '').trim() !== '');
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

/** A name that no column has: with the first free number behind it. */
function unusedName(name: string, taken: Set<string>): string {
  let unused = name;
  for (let number = 2; taken.has(unused); number += 1) unused = `${name} (${number})`;
  taken.add(unused);
  return unused;
}
