import type { IncomingMessage } from 'node:http';

/**
 * The value of a header that a request may carry once, or null when it is absent. Repeated ones are told apart from
 * one, because Node joins some and drops others, and a proxy in front may have read another of them.
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
