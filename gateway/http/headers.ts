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
