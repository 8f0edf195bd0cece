import { serviceError } from '../../../schemas/base/errors.ts';
import { shownName } from '../../../schemas/base/validation.ts';

/**
 * Parses the query parameters of a request target; each may occur once.
 *
 * @throws {ServiceError} `bad_request` for a repeated parameter and for percent escapes that are not UTF-8
 */
export function parseQuery(target: string): Record<string, string> {
  const start = target.indexOf('?');
  const query = start === -1 ? '' : target.slice(start + 1);
  if (query === '') return {};
  if (!isDecodable(query))
    throw serviceError('bad_request', { at: 'query', seen: 'a wrong percent encoding', expected: 'UTF-8' });
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (parameters.has(name)) {
      throw serviceError('bad_request', {
        at: 'query',
        seen: `${shownName(name)} twice`,
        expected: 'it once',
      });
    }
    parameters.set(name, value);
  }
  return Object.fromEntries(parameters);
}

function isDecodable(query: string): boolean {
  try {
    return !decodeURIComponent(query).includes('\0');
  } catch {
    return false;
  }
}
