import { type Refusal, refusal } from '../../schemas/base/errors.ts';

/** The refusal for the id of a resource that the workspace does not have. `at`: the member of the request. */
export function missing(
  at: 'path.originId' | 'body.originId' | 'body.accessProfileId' | 'body.suiteId',
  what: string,
): Refusal {
  return refusal('not_found', {
    at,
    seen: `the id of no ${what}`,
    expected: 'the id of one of this workspace',
  });
}
