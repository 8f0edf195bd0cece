import { expect, it, onTestFinished } from 'vitest';
import { SECRETS, startGateway, workspaceNamed } from '../../../gateway/http/gateway.fixture.ts';
import { TEST_ROUTES } from '../../../gateway/http/routing/test-routes.fixture.ts';
import { openMetering } from './metering.ts';

const LABELED = /^svc_http_[a-z_]+\{(.*)\} /;

it('labels of requests come from the routes, whatever stands in paths, queries and methods', async () => {
  const metering = openMetering({ token: null });
  const running = await startGateway(TEST_ROUTES, { meter: metering.meter });
  onTestFinished(() => running.close());
  const { installationId } = workspaceNamed('own');
  const headers = { authorization: `Bearer ${SECRETS.project}` };
  for (const path of [
    `/v1/installations/${installationId}/things`,
    `/v1/installations/${installationId}/things?index=1`,
    '/v1/installations/of-a-customer/things',
    `/v1/installations/${installationId}/things/of-a-customer`,
    '/of-a-customer?name=of-a-customer',
    '/v1/echo',
  ]) {
    for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND']) await running.send({ method, path, headers });
  }
  const lines = (await metering.read()).split('\n').flatMap((line) => LABELED.exec(line)?.[1] ?? []);
  const seen = (name: string) =>
    new Set(lines.flatMap((line) => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(line)?.[1] ?? []));
  const { routes } = running.gateway;
  const unknown = (name: string, known: readonly string[]) =>
    [...seen(name)].filter((value) => value !== '' && !known.includes(value));
  expect(
    unknown(
      'route',
      routes.map(({ path }) => path),
    ),
  ).toEqual([]);
  expect(
    unknown(
      'method',
      routes.map(({ method }) => method),
    ),
  ).toEqual([]);
  expect(unknown('status', ['2xx', '4xx', '5xx'])).toEqual([]);
  expect(seen('route')).toContain('/v1/installations/:installationId/things');
});
