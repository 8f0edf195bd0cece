import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { MailServer } from '../../mail-server.fixture.ts';
import { cookieOf, exchange, setUp } from '../customer.fixture.ts';

/** Milliseconds from an answer to the kill: before, while and after a worker sends the mail. */
const KILLS_AFTER_MS = [0, 2, 5, 10, 20, 40, 80, 160] as const;

let server: MailServer;
let service: ServiceProcess;
let cookie: string;

beforeEach(async () => {
  server = await MailServer.start();
  const environment = { SVC_SMTP_URL: server.url, SVC_MAIL_FROM: 'svc@mail.example' };
  service = await ServiceProcess.start({ environment });
  cookie = cookieOf(await setUp(service));
});
afterEach(async () => {
  await service?.dispose();
  await server?.close();
});

async function invite(email: string): Promise<void> {
  const json = { role: 'member', email };
  const made = await exchange(`${service.url}/v1/console/invitations`, 'POST', {
    ...{ json, cookie, origin: service.url },
  });
  expect(made.status).toBe(201);
}

it('loses no mail to a kill, and doubles none but with the same Message-ID', async () => {
  const addresses = KILLS_AFTER_MS.map((ms) => `after-${ms}@example.com`);
  for (const [at, ms] of KILLS_AFTER_MS.entries()) {
    await invite(addresses[at] ?? '');
    await pause(ms);
    await service.kill();
    await service.restart();
  }
  for (const address of addresses) await server.receivedBy(address);
  for (const address of addresses) {
    const ids = server.mails.filter(({ to }) => to === address).map(({ headers }) => headers['message-id']);
    expect(new Set(ids).size, address).toBe(1);
  }
}, 120_000);

it('sends a mail once whose attempt a kill has ended before the server had it', async () => {
  server.treatment = 'stall';
  await invite('grace@example.com');
  await server.named('grace@example.com');
  await service.kill();
  server.treatment = 'take';
  await service.restart();
  await server.received(1);
  await invite('ada@example.com');
  await server.received(2);
  expect(server.mails.map(({ to }) => to)).toEqual(['grace@example.com', 'ada@example.com']);
}, 60_000);
