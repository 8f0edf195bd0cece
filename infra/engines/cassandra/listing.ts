import type { ListOptions } from '../../../topics/ports/store.ts';
import { endOfPrefix } from '../shared/store-rules.ts';
import type { Statement } from './session.ts';

/**
 * Returns the statement that lists the rows of a kind as one slice of their partition. Cassandra sorts texts by their
 * UTF-8 bytes, and takes one bound at each end.
 */
export function listStatement(
  table: string,
  aggregate: string,
  kind: string,
  { prefix = '', after, reverse = false, limit }: ListOptions,
): Statement {
  const conditions = ['aggregate = ?', 'kind = ?'];
  const bounds: string[] = [];
  const bound = (condition: string, id: string) => {
    conditions.push(condition);
    bounds.push(id);
  };
  const end = endOfPrefix(prefix);
  if (reverse) {
    bound('id >= ?', prefix);
    const last = earlier(end, after ?? null);
    if (last !== null) bound('id < ?', last);
  } else {
    if (after !== undefined && !isBefore(after, prefix)) bound('id > ?', after);
    else bound('id >= ?', prefix);
    if (end !== null) bound('id < ?', end);
  }
  const order = reverse ? 'DESC' : 'ASC';
  return {
    query: `SELECT id, document FROM ${table} WHERE ${conditions.join(' AND ')}
            ORDER BY kind ${order}, id ${order} LIMIT ?`,
    params: [aggregate, kind, ...bounds, limit],
  };
}

function earlier(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right;
  return isBefore(left, right) ? left : right;
}

function isBefore(left: string, right: string): boolean {
  return Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0;
}
