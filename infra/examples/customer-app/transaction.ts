import type { DatabaseSync } from 'node:sqlite';

/** Runs the step in a transaction: what it wrote is there as a whole once this returns, or not at all if it throws. */
export function inTransaction<Result>(database: DatabaseSync, step: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = step();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
