import { usageFailure } from '../failure.ts';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Returns the address of a service without a trailing slash.
 *
 * @throws {CommandFailure} if it is no HTTPS address, and no address of this machine
 */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  const isBare = url !== null && url.pathname === '/' && url.search === '' && url.hash === '';
  if (url === null || !isBare || url.username !== '' || url.password !== '') {
    throw usageFailure(
      'The address of the service has to look like https://api.example.com, without a path.',
    );
  }
  if (!isSafe(url)) {
    throw usageFailure(
      `The address of the service begins with ${url.protocol}. It needs https:, so that others cannot read the credential.`,
    );
  }
  return url.origin;
}

/** True if others cannot read what is sent there. */
export function isSafe(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/** True for an address of this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}
