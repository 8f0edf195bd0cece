import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/base/time.ts';
import { MailServer, type TakenMail } from '../../mail-server.fixture.ts';
import { codeOf, cookieOf, exchange, OWNER, type Received, refusal, setUp } from '../customer.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';

const NEXT = 'a password by a mailed link';
const LIMITS = { http: { managementPerMinute: 10_000, unauthorizedPerMinute: 10_000 } };

let server: MailServer;
let service: ServiceInProcess;
let cookie: string;

beforeEach(async () => {
  server = await MailServer.start();
  const environment = { SVC_SMTP_URL: server.url, SVC_MAIL_FROM: 'Svc <svc@mail.example>' };
  service = await ServiceInProcess.start({ environment, limits: LIMITS });
  cookie = cookieOf(await setUp(service));
});
afterEach(async () => {
  await service?.dispose();
  await server?.close();
});

function send(path: string, json: object, more: { readonly cookie?: string } = {}): Promise<Received> {
  return exchange(`${service.url}/v1/console/${path}`, 'POST', { json, origin: service.url, ...more });
}

const forget = (email: string) => send('forgot-password', { email });
const invite = (json: object) => send('invitations', { role: 'member', ...json }, { cookie });

/** The link that a mail asks to open, which the text and the page have alike. */
function linkIn({ text, html }: TakenMail): string {
  const [link = ''] = /https?:\S+#\S+/.exec(text) ?? [];
  expect(html).toContain(`href="${link}"`);
  return link;
}

describe('POST /v1/console/forgot-password', () => {
  it('mails a link that sets a new password once', async () => {
    expect((await forget(OWNER.email)).status).toBe(202);
    const [mail] = await server.received(1);
    expect(mail).toMatchObject({ to: OWNER.email, headers: { subject: 'Set a new password' } });
    expect(mail?.headers['auto-submitted']).toBe('auto-generated');
    const link = linkIn(mail!);
    expect(link).toMatch(new RegExp(`^${service.url}/reset#svc_reset_`));
    const reset = () => send('password/reset', { code: codeOf(link), password: NEXT });
    expect((await reset()).status).toBe(204);
    expect(refusal(await reset())).toEqual([404, 'not_found']);
    expect((await send('sign-in', { email: OWNER.email, password: NEXT })).status).toBe(200);
  });

  it('answers alike for an address without an account, which gets no mail', async () => {
    const known = await forget(OWNER.email);
    const unknown = await forget('nobody@example.com');
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    await server.received(1);
    await settled(2);
    expect(server.recipients).toEqual([OWNER.email]);
  });

  it('ends the link before', async () => {
    await forget(OWNER.email);
    await server.received(1);
    await forget(OWNER.email);
    const [first, second] = await server.received(2);
    const use = (mail: TakenMail | undefined) =>
      send('password/reset', { code: codeOf(linkIn(mail!)), password: NEXT });
    expect(refusal(await use(first))).toEqual([404, 'not_found']);
    expect((await use(second)).status).toBe(204);
  });

  it('is throttled by account, whether there is one or not', async () => {
    for (const email of [OWNER.email, 'nobody@example.com']) {
      for (let sent = 0; sent < 5; sent += 1) expect((await forget(email)).status).toBe(202);
      expect(refusal(await forget(email))).toEqual([429, 'rate_limited']);
    }
  });

  it('is throttled by address', async () => {
    for (let sent = 0; sent < 20; sent += 1) {
      expect((await forget(`person-${sent}@example.com`)).status).toBe(202);
    }
    expect(refusal(await forget('person@example.com'))).toEqual([429, 'rate_limited']);
  });

  it('leaves no address and no code in topics and logs', async () => {
    await forget(OWNER.email);
    const [mail] = await server.received(1);
    const code = codeOf(linkIn(mail!));
    await settled(1);
    expect(service.output).not.toContain(OWNER.email);
    expect(service.output).not.toContain(code);
    await service.stop();
    expect(service.filesHolding(code)).toEqual([]);
    expect(service.filesHolding('svc_reset_')).toEqual([]);
  });
});

/** Waits until outboxes have settled this many mails since the start. */
async function settled(count: number): Promise<void> {
  await vi.waitFor(async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    const [, seen = '0'] =
      /^svc_commands_total\{topic="mail",command="settle",.*\} (\d+)$/m.exec(metrics) ?? [];
    expect(Number(seen)).toBe(count);
  }, WAIT_MS);
}

const WAIT_MS = 10_000;

describe('a mail that the server does not take', () => {
  it('is sent again after growing pauses, once', async () => {
    server.treatment = { recipient: { code: 451, text: '4.7.1 greylisted' } };
    await forget(OWNER.email);
    await vi.waitFor(() => expect(server.recipients).toHaveLength(1), WAIT_MS);
    for (const [pause, attempts] of [
      [2 * MINUTE_MS, 2],
      [11 * MINUTE_MS, 3],
    ] as const) {
      await service.restartAfter(pause);
      await vi.waitFor(() => expect(server.recipients).toHaveLength(attempts), WAIT_MS);
    }
    server.treatment = 'take';
    // The link has ended by now.
    await service.restartAfter(HOUR_MS + 2 * MINUTE_MS);
    await forget(OWNER.email);
    await server.received(1);
    expect(server.recipients).toHaveLength(4);
  }, 60_000);

  it('keeps its Message-ID if the answer of the server is lost', async () => {
    server.treatment = 'cut-after';
    await forget(OWNER.email);
    await vi.waitFor(() => expect(service.output).toContain('"fate":"unknown"'), WAIT_MS);
    server.treatment = 'take';
    await service.restartAfter(2 * MINUTE_MS);
    const [mail] = await server.received(1);
    expect(mail?.headers['message-id']).toMatch(/^<[0-9a-f]{32}@mail\.example>$/);
    expect(server.mails).toHaveLength(1);
  }, 30_000);

  it('is refused for good, and never again', async () => {
    server.treatment = { recipient: { code: 550, text: `5.1.1 no ${OWNER.email} here` } };
    await forget(OWNER.email);
    await vi.waitFor(() => expect(service.output).toContain('"fate":"refused"'), WAIT_MS);
    expect(service.output).not.toContain(OWNER.email);
    server.treatment = 'take';
    await service.restartAfter(3 * MINUTE_MS);
    await forget(OWNER.email);
    await server.received(1);
    expect(server.recipients).toHaveLength(2);
  }, 30_000);

  it('is a dead letter after a day, which an operator sends again', async () => {
    server.treatment = { recipient: { code: 451, text: '4.3.0 later' } };
    expect((await invite({ email: 'grace@example.com' })).status).toBe(201);
    await vi.waitFor(() => expect(server.recipients).toHaveLength(1), WAIT_MS);
    await service.restartAfter(DAY_MS + HOUR_MS);
    const letters = async () => {
      const { body } = await exchange(`${service.url}/v1/ops/dead-letters`, 'GET', { cookie });
      return (body as { deadLetters?: readonly { deadLetterId: string; topic: string }[] }).deadLetters ?? [];
    };
    cookie = cookieOf(await send('sign-in', { email: OWNER.email, password: OWNER.password }));
    await vi.waitFor(async () => expect(await letters()).toMatchObject([{ topic: 'mail-sends' }]), WAIT_MS);
    server.treatment = 'take';
    const [letter] = await letters();
    const path = `${service.url}/v1/ops/dead-letters/${letter?.deadLetterId}/replay`;
    expect((await exchange(path, 'POST', { origin: service.url, cookie })).status).toBe(200);
    expect(await server.received(1)).toMatchObject([{ to: 'grace@example.com' }]);
  }, 60_000);
});

describe('POST /v1/console/invitations with an e-mail address', () => {
  it('mails a link by which the person joins, with the inviter and a way out', async () => {
    const made = await invite({ email: ' Grace@Example.com', forWhom: 'Grace, design' });
    expect(made.status).toBe(201);
    const [mail] = await server.received(1);
    expect(mail?.to).toBe('grace@example.com');
    expect(mail?.headers['subject']).toBe(`Invitation to “${OWNER.organization}”`);
    expect(mail?.text).toContain(`A person who signs in as ${OWNER.email} invites you`);
    expect(mail?.text).toContain('Ignore this mail');
    expect(mail?.text).not.toContain('design');
    const link = linkIn(mail!);
    expect(link).toBe(made.body.url);
    const joined = await send('invitations/accept', {
      code: codeOf(link),
      email: 'grace@example.com',
      password: NEXT,
    });
    expect(joined.status).toBe(200);
  });

  it('mails nothing once the invitation is revoked', async () => {
    server.treatment = { recipient: { code: 451, text: '4.7.1 greylisted' } };
    const { body } = await invite({ email: 'grace@example.com' });
    await vi.waitFor(() => expect(server.recipients).toHaveLength(1), WAIT_MS);
    const path = `${service.url}/v1/console/invitations/${body.invitationId}`;
    expect((await exchange(path, 'DELETE', { origin: service.url, cookie })).status).toBe(204);
    server.treatment = 'take';
    await service.restartAfter(3 * MINUTE_MS);
    await forget(OWNER.email);
    await server.received(1);
    expect(server.recipients).toEqual(['grace@example.com', OWNER.email]);
    await service.stop();
    expect(service.filesHolding('grace@example.com')).toEqual([]);
  }, 30_000);

  it('is bounded for one address', async () => {
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await invite({ email: 'grace@example.com' })).status).toBe(201);
    }
    expect(refusal(await invite({ email: 'grace@example.com' }))).toEqual([429, 'rate_limited']);
    expect((await invite({})).status).toBe(201);
  });
});
