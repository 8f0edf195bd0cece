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

/**
 * Whether a caller asks for a type of content by its name. Wildcards ask for nothing in particular: they get the JSON
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
