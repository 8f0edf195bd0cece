/** The version of the interface of browser checks. */
export const CHECK_VERSION = '2026-08-24';
