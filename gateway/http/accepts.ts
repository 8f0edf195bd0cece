import type { IncomingHeaders } from './route.ts';

/**
 * Whether a caller asks for a type of content by its name. Wildcards ask for nothing in particular: they get the JSON
 * that every route answers.
 */
export function accepts({ headersDistinct }: IncomingHeaders, contentType: string): boolean {
  const ranges = (headersDistinct['accept'] ?? []).flatMap((value) => value.split(','));
  return ranges.some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    // RFC 9110, 12.5.1: a weight of 0 means "not acceptable".
    return type === contentType && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
}
