import { serviceError } from '../../../schemas/base/errors.ts';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { DAY_MS } from '../../../schemas/base/time.ts';
import { sessionSchema, setUpRequestSchema, signUpRequestSchema } from '../../../schemas/people/http.ts';
import { visitor } from '../../audiences.ts';
import { throttle } from '../../http/callers/throttle.ts';
import { json } from '../../http/routing/audience.ts';
import { makeOrganization } from '../make-organization.ts';
import { firstOrganizationId, isSetUp, isSetUpCode } from '../set-up-code.ts';

export const setUpRoute = visitor.post('/set-up', {
  name: 'setUp',
  summary: 'Make the first organization and its owner, and sign in',
  description:
    'Creates the first organization, which operates the service, and its owner. It takes the code of the set-up link, which works once.',
  body: json(setUpRequestSchema),
  success: { status: 201, schema: sessionSchema, description: 'The session; its secret is in the cookie' },
  errors: ['forbidden', 'state_conflict'],
  async handle({ body, request, addressKey, services, submit }) {
    const { secrets } = services;
    if (!isSetUpCode(secrets, body.code)) {
      throw serviceError('forbidden', {
        at: 'body.code',
        seen: 'another code',
        expected: "the code of this service's set-up link",
      });
    }
    // Spares the hash; it is the organization's fold that decides.
    if (await isSetUp(services.store, secrets)) {
      throw serviceError('state_conflict', {
        at: 'service.setUp',
        seen: 'a service that has been set up',
        expected: 'one that has not; sign in instead',
      });
    }
    const { organization: name, email, password } = body;
    const organizationId = firstOrganizationId(secrets);
    return await makeOrganization(
      { services, submit, request, addressKey },
      { organizationId, operator: true, name, email, password },
    );
  },
});

export const signUpRoute = visitor.post('/sign-up', {
  name: 'signUp',
  summary: 'Make an organization and its owner, and sign in',
  description:
    'Creates a person with an organization, if the service admits it. Otherwise the answer is 403 `forbidden`.',
  body: json(signUpRequestSchema),
  success: { status: 201, schema: sessionSchema, description: 'The session; its secret is in the cookie' },
  errors: ['forbidden', 'state_conflict', 'rate_limited'],
  async handle({ body, request, addressKey, services, submit }) {
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
      { services, submit, request, addressKey },
      { organizationId, operator: false, name, email, password },
    );
  },
});
