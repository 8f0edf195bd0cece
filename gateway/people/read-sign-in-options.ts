import { SECOND_MS } from '../../schemas/base/time.ts';
import { signInOptionsSchema } from '../../schemas/people/http.ts';
import { visitor } from '../audiences.ts';
import { isSetUp } from './set-up-code.ts';

/** GET `/v1/console/sign-in`: the ways into this service. The answer is the same for everybody. */
export const readSignInOptionsRoute = visitor.get('/sign-in', {
  name: 'readSignInOptions',
  summary: 'Read the ways to sign in and to sign up',
  success: { status: 200, schema: signInOptionsSchema, description: 'The ways to sign in and to sign up' },
  async handle({ services: { signUp, oidc, limits, store, secrets } }) {
    const { signInsPerAccountAndAddress: limit, signInWindowMs } = limits.console;
    const windowSeconds = Math.ceil(signInWindowMs / SECOND_MS);
    const attempts = { limit, windowSeconds };
    return {
      body: { signUp, singleSignOn: oidc !== null, isSetUp: await isSetUp(store, secrets), attempts },
    };
  },
});
