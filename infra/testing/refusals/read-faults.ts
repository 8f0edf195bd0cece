// Finds every refusal that the sources can make: the literals of a `Fault`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from '@swc/core';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Folders whose code refuses requests. */
const FOLDERS = ['schemas', 'topics', 'gateway', 'processors', 'infra/service'];
const NO_PRODUCT = /\.(test|contract|fixture|sim)\.ts$|\/simulation\//;

const PARTS = ['at', 'seen', 'expected'] as const;

/** Stands for a part of a text that is known only when the refusal is made. */
const UNKNOWN = '…';

/** One refusal as the sources have it. */
export interface WrittenFault extends Readonly<Record<(typeof PARTS)[number], string>> {
  /** Relative to the repository. */
  readonly file: string;
}

/** Returns every literal with the parts of a fault in the product's sources. */
export function readFaults(): WrittenFault[] {
  const files = execFileSync('git', ['ls-files', '--', ...FOLDERS], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !NO_PRODUCT.test(file));
  return files.flatMap((file) =>
    faultsIn(readFileSync(join(ROOT, file), 'utf8')).map((fault) => ({ file, ...fault })),
  );
}

/** Returns the faults of one source text. A part that is not a string or a template is unknown as a whole. */
export function faultsIn(source: string): Omit<WrittenFault, 'file'>[] {
  const found: Omit<WrittenFault, 'file'>[] = [];
  visit(parseSync(source, { syntax: 'typescript', target: 'es2024' }), (node) => {
    if (node['type'] !== 'ObjectExpression') return;
    const members = membersOf(node);
    const [at, seen, expected] = PARTS.map((name) => members.get(name));
    if (at === undefined || seen === undefined || expected === undefined) return;
    found.push({ at: textOf(at), seen: textOf(seen), expected: textOf(expected) });
  });
  return found;
}

/** Returns a pattern of the messages that a fault leads to, as one of several or alone. */
export function messagePattern({ at, seen, expected }: Omit<WrittenFault, 'file'>): RegExp {
  const parts = `${at}: seen ${seen}, expected ${expected}`.split(UNKNOWN);
  return new RegExp(`^${parts.map(escaped).join('.+')}\\.$`, 's');
}

type Node = Readonly<Record<string, unknown>>;

function visit(value: unknown, take: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) take(value as Node);
  for (const inner of Object.values(value)) visit(inner, take);
}

/** The values of an object literal by their names. Shorthand members stand for themselves. */
function membersOf(node: Node): Map<string, Node> {
  const members = new Map<string, Node>();
  for (const member of node['properties'] as readonly Node[]) {
    const { type, key, value } = member as { type: string; key?: Node; value?: unknown };
    if (type === 'Identifier') members.set(String(value), member);
    if (type === 'KeyValueProperty') members.set(String(key?.['value']), value as Node);
  }
  return members;
}

function textOf(node: Node): string {
  switch (node['type']) {
    case 'StringLiteral':
      return String(node['value']);
    case 'TemplateLiteral':
      return (node['quasis'] as readonly Node[]).map(({ cooked }) => String(cooked)).join(UNKNOWN);
    default:
      return UNKNOWN;
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
