import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieOf, exchange, type Received, refusal, setUp } from '../customer.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';

const PERSON = { organization: 'Other', email: 'other@example.com', password: 'a password of another one' };

let service: ServiceInProcess;
/** The cookie of a former person, with the name that an earlier release gave it. */
let earlier: string;
let both: string;

beforeAll(async () => {
  service = await ServiceInProcess.start();
  const former = cookieOf(await setUp(service));
  const latter = cookieOf(await post('sign-up', PERSON));
  earlier = former.replace(/^svc_session_\d+=/, 'svc_session=');
  both = `${earlier}; ${latter}`;
});
afterAll(() => service?.dispose());

function post(path: string, json: object, cookie?: string): Promise<Received> {
  return exchange(`${service.url}/v1/console/${path}`, 'POST', { json, cookie, origin: service.url });
}

const session = (cookie: string) => exchange(`${service.url}/v1/console/session`, 'GET', { cookie });

/** The names of the cookies that an answer removes. */
const removed = ({ headers }: Received) =>
  headers.getSetCookie().map((each) => [each.split('=')[0], each.includes('Max-Age=0')]);

describe('POST /v1/console/sign-out', () => {
  it('ends every session that the browser carries, and removes their cookies', async () => {
    expect((await session(earlier)).status).toBe(200);
    expect((await session(both)).body.user.email).toBe(PERSON.email);
    const answer = await post('sign-out', {}, both);
    expect(answer.status).toBe(204);
    expect(removed(answer)).toEqual([
      [`svc_session_${new URL(service.url).port}`, true],
      ['svc_session', true],
    ]);
    for (const cookie of both.split('; ')) {
      expect(refusal(await session(cookie))).toEqual([401, 'session_required']);
    }
  });
});
