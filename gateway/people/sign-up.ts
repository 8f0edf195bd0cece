import { serviceError } from '../../schemas/base/errors.ts';
import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { DAY_MS } from '../../schemas/base/time.ts';
import { sessionSchema, signUpRequestSchema } from '../../schemas/people/http.ts';
import { defineRoute } from '../http/route.ts';
import { throttle } from '../http/throttle.ts';
import { makeOrganization } from './make-organization.ts';

/** POST `/v1/console/sign-up`: a person with an organization of its own, where the policy is `open` (contract "People"). */
export const signUpRoute = defineRoute({
  name: 'signUp',
  summary: 'Make an organization and its owner, and sign in',
  method: 'POST',
  path: '/v1/console/sign-up',
  host: 'console',
  principal: 'none',
  rate: 'management',
  body: { kind: 'json', schema: signUpRequestSchema, limit: 'jsonBytes' },
  success: { status: 201, schema: sessionSchema, description: 'The session; its secret is in the cookie' },
  errors: ['forbidden', 'state_conflict', 'rate_limited'],
  noStore: true,
  async handle({ body, addressKey, services, submit }) {
    const { entropy, limits, signUp } = services;
    if (signUp !== 'open') {
      throw serviceError('forbidden', {
        at: 'service.signUp',
        seen: 'a new person while sign-up is closed',
        expected: 'an invitation; ask an owner of an organization for one',
      });
    }
    const limit = limits.console.signUpsPerAddressDay;
    const rule = { key: `sign-up-address:${addressKey()}`, limit, windowMs: DAY_MS };
    await throttle(services, [rule], {
      at: 'request.rate',
      seen: `${limit} people who signed up from this address today`,
      expected: 'fewer; wait a day',
    });
    const { organization: name, email, password } = body;
    const organizationId = idFrom('organization', entropy.bytes(ID_BYTES));
    return await makeOrganization(
      { services, submit },
      { organizationId, operator: false, name, email, password },
    );
  },
});
