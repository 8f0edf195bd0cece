import { serviceError } from '../../schemas/base/errors.ts';
import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { DAY_MS } from '../../schemas/base/time.ts';
import { sessionSchema, signUpRequestSchema } from '../../schemas/people/http.ts';
import { visitor } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { throttle } from '../http/throttle.ts';
import { makeOrganization } from './make-organization.ts';

/**
 * POST `/v1/console/sign-up`: creates a person and their organization, if the policy is `open`
 * (infra/docs/reference/people.md).
 */
export const signUpRoute = visitor.post('/sign-up', {
  name: 'signUp',
  summary: 'Make an organization and its owner, and sign in',
  body: json(signUpRequestSchema),
  success: { status: 201, schema: sessionSchema, description: 'The session; its secret is in the cookie' },
  errors: ['forbidden', 'state_conflict', 'rate_limited'],
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
