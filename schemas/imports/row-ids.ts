/** Digits of a padded number in a row id: ids sort by their bytes, so the numbers in them have one width. */
const SEQUENCE_DIGITS = 15;
const INDEX_DIGITS = 6;

export function schemaRevisionRowId(schemaId: string, revision: number): string {
  return `${schemaId}/${revision}`;
}

/**
 * The id of a row that puts things in order: by the number of the command that made it, within a scope where there is
 * one.
 */
export function orderedRowId(sequence: number, scope?: string): string {
  const number = String(sequence).padStart(SEQUENCE_DIGITS, '0');
  return scope === undefined ? number : `${orderedRowPrefix(scope)}${number}`;
}

/** The prefix of the ids of one scope. */
export function orderedRowPrefix(scope: string): string {
  return `${scope}/`;
}

export function mappingRowId(importId: string, revision: number): string {
  return `${importId}/${revision}`;
}

/** Ids of one attempt's partitions sort by their index. */
export function partitionRowId(importId: string, attempt: number, index: number): string {
  return `${partitionRowPrefix(importId, attempt)}${String(index).padStart(INDEX_DIGITS, '0')}`;
}

/** The prefix of the ids of one attempt's partitions. */
export function partitionRowPrefix(importId: string, attempt: number): string {
  return `${importId}/${attempt}/`;
}

export function batchRowId(importId: string, batchId: string): string {
  return `${importId}/${batchId}`;
}
