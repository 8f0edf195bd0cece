import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { ORIGIN, type RunningGateway, SECRETS, startGateway } from '../gateway.fixture.ts';
import { TEST_ROUTES } from '../routing/test-routes.fixture.ts';
import { withEtag } from './etag.ts';
import { requestWith } from './stored.fixture.ts';

const ANSWER = { status: 200, headers: { 'Cache-Control': 'no-store' }, body: { completed: 1 } };
const NESTED = {
  name: 'a',
  of: { count: 1 },
  items: [
    { id: 1, of: { count: 1 } },
    { id: 2, of: { count: 1 } },
  ],
};
const NO_HEADER = requestWith('x-other', '1');
const ETAG = withEtag(NO_HEADER, ANSWER).headers['ETag'] ?? '';

describe('withEtag', () => {
  it('names a body by what it says', () => {
    expect(withEtag(NO_HEADER, ANSWER)).toEqual({ ...ANSWER, headers: { ...ANSWER.headers, ETag: ETAG } });
    expect(ETAG).toMatch(/^"[\w-]{43}"$/);
    const other = withEtag(NO_HEADER, { ...ANSWER, body: { completed: 2 } });
    expect(other.headers['ETag']).not.toBe(ETAG);
  });

  it.each([
    ['a member of the body', { ...NESTED, name: 'b' }],
    ['the name of a member', { title: 'a', of: NESTED.of, items: NESTED.items }],
    ['a member that is added', { ...NESTED, added: null }],
    ['a member of an object', { ...NESTED, of: { ...NESTED.of, count: 2 } }],
    [
      'a member of an item',
      {
        ...NESTED,
        items: [
          { id: 1, of: { count: 1 } },
          { id: 3, of: { count: 1 } },
        ],
      },
    ],
    [
      'a member of an object of an item',
      { ...NESTED, items: [...NESTED.items.slice(0, 1), { id: 2, of: { count: 2 } }] },
    ],
    ['the order of items', { ...NESTED, items: NESTED.items.toReversed() }],
    ['the number of items', { ...NESTED, items: NESTED.items.slice(0, 1) }],
    ['the type of a value', { ...NESTED, of: { ...NESTED.of, count: '1' } }],
  ])('gives another tag to a body that differs in %s', (_name, body) => {
    const tagOf = (of: JsonObject) => withEtag(NO_HEADER, { ...ANSWER, body: of }).headers['ETag'];
    expect(tagOf(body)).not.toBe(tagOf(NESTED));
  });

  it.each([
    ['the tag', ETAG],
    ['the tag as a weak one', `W/${ETAG}`],
    ['the tag in a list', `"other" , ${ETAG},"another"`],
    ['any tag', ' * '],
  ])('answers 304 without a body to a caller that has it: %s', (_name, header) => {
    const answer = withEtag(requestWith('if-none-match', header), ANSWER);
    expect(answer).toEqual({ status: 304, headers: { ...ANSWER.headers, ETag: ETAG } });
  });

  it.each([
    ['another tag', '"other"'],
    ['the tag without quotes', ETAG.slice(1, -1)],
    ['the beginning of the tag', ETAG.slice(0, -2)],
    ['nothing', ''],
    ['a tag that holds this one', `"x${ETAG.slice(1)}`],
  ])('answers in full to a caller that has something else: %s', (_name, header) => {
    expect(withEtag(requestWith('if-none-match', header), ANSWER).status).toBe(200);
  });
});

describe('a route with an etag', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway(TEST_ROUTES, { loopbackPorts: [8_787] });
  });
  afterAll(() => running.close());

  const read = (headers: Record<string, string>) =>
    running.send({
      path: '/v1/browser/progress',
      headers: { authorization: `Bearer ${SECRETS.progress}`, ...headers },
    });

  it('answers 304 with the headers that a page needs, and nothing else', async () => {
    running.world.origin = ORIGIN;
    const first = await read({ origin: ORIGIN });
    expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    const again = await read({ origin: ORIGIN, 'if-none-match': String(first.headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers).toMatchObject({
      etag: first.headers.etag,
      'access-control-allow-origin': ORIGIN,
      'cache-control': 'no-store',
      vary: 'Origin',
    });
    expect(again.headers).not.toHaveProperty('content-length');
  });

  it('is described with its 304', async () => {
    const { body } = await running.send({ path: '/openapi.json' });
    const { parameters, responses } = body.paths['/v1/browser/progress'].get;
    const named = parameters.map(
      ({ $ref }: { $ref: string }) => body.components.parameters[componentName($ref)],
    );
    expect(named).toMatchObject([
      { name: 'Origin', in: 'header', required: false },
      { name: 'If-None-Match', in: 'header', required: false },
    ]);
    expect(responses['200'].headers).toHaveProperty('ETag');
    expect(responses['304']).not.toHaveProperty('content');
  });

  it('takes a read without an origin from pages of the same host only', async () => {
    running.world.origin = ORIGIN;
    expect((await read({})).body.error.code).toBe('origin_not_allowed');
    running.world.origin = 'http://127.0.0.1:8787';
    expect((await read({})).status).toBe(200);
    expect((await read({ origin: ORIGIN })).body.error.code).toBe('origin_not_allowed');
  });
});

/** The name of the component that a reference of the OpenAPI document leads to. */
function componentName(reference: string): string {
  return String(reference.split('/').at(-1));
}
