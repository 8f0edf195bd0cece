// Finds the named bounds of the product in its sources: constants in capitals whose names end like a bound.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The folders of the product's code; the others are tests, tools and examples. */
const FOLDERS = [
  ...['schemas', 'topics', 'gateway', 'processors', 'cli', 'widgets'],
  ...[
    'infra/engines/shared',
    'infra/engines/embedded',
    'infra/engines/kafka',
    'infra/engines/cassandra',
    'infra/engines/redis',
    'infra/service',
  ],
];
const NO_PRODUCT = /\.(test|contract|fixture|sim|d)\.ts$|\/(testing|simulation)\//;

/** The endings of the names of bounds. */
const BOUND =
  /_(MAX|MAX_MB|AT_ONCE|KEPT|AHEAD|A_[A-Z]+|COMMANDS|RECORDS|ROWS|MS|MS_FIRST|SECONDS|DAYS|MONTHS|DEFAULT)$/;

/** Names of times that are units and bound nothing. The sources of pages, which bundle little of others, have their own. */
const UNIT = /^(SECOND|MINUTE|HOUR|DAY)_MS$/;

const DECLARATION = /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: [A-Za-z]+)? =\s*([^;]+);/gm;
const IMPORT = /^import \{([^}]+)\} from '(\.[^']+)';/gm;
const ARITHMETIC = /^[0-9A-Z_a-z\s+*/().-]+$/;

const ENDLESS = /\bwhile \(true\)|\bfor \([^;)]*; ?;/;

/** One named number. */
export interface Bound {
  readonly name: string;
  /** Relative to the repository. */
  readonly file: string;
  readonly value: number;
  /** The comment above it, or above the group that it stands in. */
  readonly comment: string;
}

/** Every bound of the product, by file and then in the order of the file. */
export function readBounds(): Bound[] {
  return sourceFiles().flatMap((file) => boundsIn(file));
}

/** Files with a loop that has no condition. */
export function endlessLoops(): string[] {
  return sourceFiles().filter((file) => ENDLESS.test(read(file)));
}

function boundsIn(file: string): Bound[] {
  const text = read(file);
  return [...text.matchAll(DECLARATION)].flatMap((match) => {
    const [, name = '', expression = ''] = match;
    const isUnit = file.startsWith('widgets/') && UNIT.test(name);
    const value = BOUND.test(name) && !isUnit ? evaluate(expression, file) : null;
    return value === null ? [] : [{ name, file, value, comment: commentAbove(text, match.index) }];
  });
}

/** Evaluates an expression of numbers and constants; null for anything else. */
function evaluate(expression: string, file: string): number | null {
  if (!ARITHMETIC.test(expression)) return null;
  const digits = expression.replaceAll(/(?<=\d)_(?=\d)/g, '');
  const parts = digits.replaceAll(/[A-Za-z_][A-Za-z0-9_]*/g, (name) => {
    const value = constant(name, file);
    return value === null ? 'unknown' : String(value);
  });
  if (parts.includes('unknown')) return null;
  return Number(Function(`return (${parts});`)());
}

function constant(name: string, file: string): number | null {
  const text = read(file);
  const own = [...text.matchAll(DECLARATION)].find((match) => match[1] === name)?.[2];
  if (own !== undefined) return evaluate(own, file);
  const imported = [...text.matchAll(IMPORT)].find(([, names = '']) => names.split(/[\s,]+/).includes(name));
  return imported?.[2] === undefined ? null : constant(name, join(dirname(file), imported[2]));
}

/** Constants that follow each other without an empty line share the comment above the first of them. */
function commentAbove(text: string, index: number): string {
  const lines = text.slice(0, index).split('\n').slice(0, -1);
  while (/^(?:export )?const [A-Z]/.test(lines.at(-1) ?? '')) lines.pop();
  const comment: string[] = [];
  for (let line = lines.pop() ?? ''; /^\s*(\/\/|\/?\*)/.test(line); line = lines.pop() ?? '') {
    comment.unshift(line.replace(/^\s*(\/\/|\/?\*+\/?)\s?/, '').replace(/\s*\*\/$/, ''));
    if (line.startsWith('/**')) break;
  }
  return comment.join(' ').trim();
}

function sourceFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', ...FOLDERS], { cwd: ROOT, encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !NO_PRODUCT.test(file))
    .sort();
}

const texts = new Map<string, string>();

function read(file: string): string {
  const known = texts.get(file) ?? readFileSync(join(ROOT, file), 'utf8');
  texts.set(file, known);
  return known;
}
