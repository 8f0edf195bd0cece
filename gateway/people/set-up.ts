import { serviceError } from '../../schemas/base/errors.ts';
import { sessionSchema, setUpRequestSchema } from '../../schemas/people/http.ts';
import { visitor } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { makeOrganization } from './make-organization.ts';
import { firstOrganizationId, isSetUp, isSetUpCode } from './set-up-code.ts';

/** POST `/v1/console/set-up`: creates the first organization and its owner, once (infra/docs/reference/people.md). */
export const setUpRoute = visitor.post('/set-up', {
  name: 'setUp',
  summary: 'Make the first organization and its owner, and sign in',
  body: json(setUpRequestSchema),
  success: { status: 201, schema: sessionSchema, description: 'The session; its secret is in the cookie' },
  errors: ['forbidden', 'state_conflict'],
  async handle({ body, services, submit }) {
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
      { services, submit },
      { organizationId, operator: true, name, email, password },
    );
  },
});
