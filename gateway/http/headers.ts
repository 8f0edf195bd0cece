import type { IncomingMessage } from 'node:http';

/**
 * Returns the value of a header that may occur once, null if it is absent, or `repeated`. Node joins some repeated
 * headers and drops others, and a proxy in front may have read another one of them.
 */
export function singleHeader(
  request: Pick<IncomingMessage, 'headersDistinct'>,
  name: string,
): string | 'repeated' | null {
  const values = request.headersDistinct[name];
  if (values === undefined) return null;
  const [value] = values;
  return values.length === 1 && value !== undefined ? value : 'repeated';
}

/** Returns the value of a cookie, or null unless there is exactly one. If there are two of its name, another site set one of them. */
export function singleCookie(request: Pick<IncomingMessage, 'headersDistinct'>, name: string): string | null {
  const [value, ...others] = cookiesNamed(request, name);
  return value === undefined || others.length > 0 ? null : value;
}

/** Returns the values of all cookies of a name. */
export function cookiesNamed(request: Pick<IncomingMessage, 'headersDistinct'>, name: string): string[] {
  return cookiesOf(request).flatMap(([each, value]) => (each === name ? [value] : []));
}

/** Returns the names and values of all cookies. */
export function cookiesOf(request: Pick<IncomingMessage, 'headersDistinct'>): [string, string][] {
  return (singleHeader(request, 'cookie') ?? '').split(';').flatMap((each): [string, string][] => {
    const pair = each.trim();
    const end = pair.indexOf('=');
    return end < 0 ? [] : [[pair.slice(0, end), pair.slice(end + 1)]];
  });
}

/**
 * True if a caller asks for a type of content by its name. Wildcards ask for nothing in particular: they get the JSON
 * that every route answers.
 */
export function accepts(
  { headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>,
  contentType: string,
): boolean {
  const ranges = (headersDistinct['accept'] ?? []).flatMap((value) => value.split(','));
  return ranges.some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    // RFC 9110, 12.5.1: a weight of 0 means "not acceptable".
    return type === contentType && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
}
