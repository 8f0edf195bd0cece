import { serviceError } from '../../schemas/base/errors.ts';
import { shownName } from './validation.ts';

/**
 * The query parameters of a request target, each of them once.
 *
 * @throws {ServiceError} `bad_request` for a parameter that comes twice and for an encoding that is not UTF-8 in
 *   percent escapes.
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
