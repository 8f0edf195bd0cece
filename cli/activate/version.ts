/** The contract version of every request about checklists. */
export const CHECKLIST_VERSION = '2026-09-07';
