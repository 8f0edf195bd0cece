import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterEnvironment } from '../../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../../tools/service-process/cluster-removal.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { seriesOf } from '../../metric-series.fixture.ts';

const PROCESSES = 2;
const REQUESTS = 20;
const PATIENCE = { timeout: 90_000, interval: 50 };
const SIGN_IN = JSON.stringify({ email: 'unknown@example.com', password: 'an unknown password' });

const shared = clusterEnvironment();
let group: ServiceProcess;

beforeAll(async () => {
  group = await ServiceProcess.start({
    environment: { ...shared, SVC_ROLES: 'gateway', SVC_GATEWAY_PROCESSES: String(PROCESSES) },
  });
});
afterAll(async () => {
  await group.dispose();
  await removeFromCluster(shared);
});

/** Waits until the log has this number of lines of an event. */
async function untilLogged(event: string, count: number): Promise<void> {
  await expect.poll(() => group.output.split(`"${event}"`).length - 1, PATIENCE).toBe(count);
}

/** Sends the head of a request on a new connection. */
function send(path: string, options: RequestOptions = {}): ClientRequest {
  const sent = request(`${group.url}${path}`, { agent: false, ...options });
  sent.flushHeaders();
  return sent;
}

async function answerTo(sent: ClientRequest): Promise<{ status: number | undefined; text: string }> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode, text: Buffer.concat(chunks).toString() };
}

async function health(): Promise<number | undefined> {
  return (await answerTo(send('/v1/health').end())).status;
}

/** The values of a metric without further labels, by the process. */
async function byProcess(name: string, labels = ''): Promise<Readonly<Record<string, number>>> {
  const page = seriesOf((await answerTo(send('/metrics').end())).text);
  const pattern = new RegExp(`^${name} .*process="(\\d+)"${labels}$`);
  const found = Object.entries(page).map(([key, value]) => [pattern.exec(key)?.[1] ?? '', value]);
  return Object.fromEntries(found.filter(([id]) => id !== ''));
}

/** The gateways, as the system lists the children of the process that started them. */
function gatewayPids(): number[] {
  const children = readFileSync(`/proc/${group.pid}/task/${group.pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

describe('gateways that share a port', () => {
  it('all answer, and a scrape of one shows the metrics of all', async () => {
    await untilLogged('ServiceStarted', PROCESSES);
    const answered = () =>
      byProcess('svc_http_request_duration_seconds_count', ' route="/v1/health" status="2xx"');
    const before = await answered();
    for (let count = 0; count < REQUESTS; count += 1) expect(await health()).toBe(200);
    const after = Object.entries(await answered()).map(([id, count]) => count - (before[id] ?? 0));
    expect(after).toHaveLength(PROCESSES);
    expect(after.reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
    for (const count of after) expect(count).toBeGreaterThan(0);
    expect(await byProcess('svc_ready')).toEqual({ '1': 1, '2': 1 });
  });

  it('continue while one is killed, which is started again', async () => {
    const [first = Number.NaN, second] = gatewayPids();
    process.kill(first, 'SIGKILL');
    await untilLogged('GatewayEnded', 1);
    for (let count = 0; count < REQUESTS; count += 1) expect(await health()).toBe(200);
    await untilLogged('ServiceStarted', PROCESSES + 1);
    expect(gatewayPids()).toHaveLength(PROCESSES);
    expect(gatewayPids()).toContain(second);
    await expect.poll(() => byProcess('svc_ready'), PATIENCE).toEqual({ '2': 1, '3': 1 });
  });

  it('answer what is under way when a signal ends all of them', async () => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': SIGN_IN.length,
      Origin: group.url,
      Expect: '100-continue',
    };
    // Each connection goes to the next gateway.
    const sent = Array.from({ length: PROCESSES }, () =>
      send('/v1/console/sign-in', { method: 'POST', headers }),
    );
    await Promise.all(sent.map((open) => once(open, 'continue')));
    const answers = Promise.all(sent.map(answerTo));
    const stopped = group.stop();
    await untilLogged('ServiceStopping', PROCESSES);
    for (const open of sent) open.end(SIGN_IN);
    for (const { status } of await answers) expect(status).toBe(401);
    expect(await stopped).toBe(0);
    await expect(health()).rejects.toThrow('ECONNREFUSED');
  });
});
