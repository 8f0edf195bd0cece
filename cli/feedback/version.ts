/** The version of the interface of the feedback widget. */
export const FEEDBACK_VERSION = '2026-08-27';
