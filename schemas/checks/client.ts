/** The header that names the run in each request of a page of its origin. */
export const RUN_HEADER = 'Svc-Check';

/** The last part of the user agent of every request of browser checks. It leads owners of pages to the documentation. */
export function clientName(baseUrl: string): string {
  return `SvcCheck/1 (+${new URL('/docs/browser-checks', baseUrl).href})`;
}
