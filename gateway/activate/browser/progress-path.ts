/** Where a page reads progress, on the ingest host (contract C). */
export const PROGRESS_PATH = '/v1/activate/progress';
