import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Mailer, MailMessage } from '../../../topics/ports/mailer.ts';
import { makeCertificates } from '../../testing/e2e/operations/certificates.fixture.ts';
import { MailServer } from '../../testing/mail-server.fixture.ts';
import { freePort } from '../../tools/service-process/service-process.ts';
import { openSmtpMailer, type SmtpOptions } from './mailer.ts';

const MESSAGE: MailMessage = {
  id: 'mai_1',
  to: 'ada@example.com',
  subject: 'Your preview “Orders” ends',
  text: 'It ends at 14:00 UTC.',
  html: '<p>It ends at 14:00 UTC.</p>',
  headers: { 'Auto-Submitted': 'auto-generated' },
};

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function mailerOf(port: number, options: Partial<SmtpOptions> = {}): Mailer {
  const from = { name: 'Svc', address: 'svc@mail.example' };
  const mailer = openSmtpMailer({
    host: '127.0.0.1',
    port,
    security: 'none',
    credentials: null,
    from,
    ...options,
  });
  closers.push(() => mailer.close());
  return mailer;
}

async function serverOf(...options: Parameters<typeof MailServer.start>): Promise<MailServer> {
  const server = await MailServer.start(...options);
  closers.push(() => server.close());
  return server;
}

describe('openSmtpMailer', () => {
  let server: MailServer;
  let mailer: Mailer;
  beforeEach(async () => {
    server = await serverOf();
    mailer = mailerOf(server.port);
  });

  it('hands a message over with a stable Message-ID', async () => {
    expect(await mailer.send(MESSAGE)).toEqual({ fate: 'accepted', cause: '', words: '' });
    await mailer.send(MESSAGE);
    const [first, second] = server.mails;
    expect(first).toMatchObject({
      from: 'svc@mail.example',
      to: 'ada@example.com',
      headers: {
        from: 'Svc <svc@mail.example>',
        to: 'ada@example.com',
        subject: MESSAGE.subject,
        'message-id': '<mai_1@mail.example>',
        'auto-submitted': 'auto-generated',
      },
      text: MESSAGE.text,
      html: MESSAGE.html,
    });
    expect(second?.headers['message-id']).toBe('<mai_1@mail.example>');
    expect(first?.headers).not.toHaveProperty('x-mailer');
    expect(server.connections).toBe(1);
  });

  it('opens four connections at most', async () => {
    const sent = await Promise.all(Array.from({ length: 40 }, () => mailer.send(MESSAGE)));
    expect(new Set(sent.map(({ fate }) => fate))).toEqual(new Set(['accepted']));
    expect(server.mails).toHaveLength(40);
    expect(server.connections).toBeLessThanOrEqual(4);
  });

  it.each([
    [
      'refused',
      { recipient: { code: 550, text: '5.1.1 no ada@example.com here' } },
      'EENVELOPE RCPT TO 550 5.1.1',
    ],
    [
      'postponed',
      { recipient: { code: 451, text: '4.7.1 ada@example.com: later' } },
      'EENVELOPE RCPT TO 451 4.7.1',
    ],
    ['refused', { data: { code: 554, text: '5.7.1 spam' } }, 'EMESSAGE DATA 554 5.7.1'],
    ['postponed', { data: { code: 452, text: '4.3.1 full' } }, 'EMESSAGE DATA 452 4.3.1'],
  ] as const)('reports that a message was %s by %j', async (fate, treatment, cause) => {
    server.treatment = treatment;
    const attempt = await mailer.send(MESSAGE);
    expect(attempt).toMatchObject({ fate, cause });
    expect(attempt.cause).not.toContain('ada');
    server.treatment = 'take';
    expect((await mailer.send(MESSAGE)).fate).toBe('accepted');
  });

  it('reports a connection that ends in the middle of a message', async () => {
    server.treatment = 'cut';
    const text = `${'x'.repeat(70)}\n`.repeat(200_000);
    expect(await mailer.send({ ...MESSAGE, text })).toMatchObject({ fate: 'postponed' });
    expect(server.mails).toEqual([]);
  });

  it('does not know the fate of a message whose answer is lost', async () => {
    server.treatment = 'cut-after';
    expect(await mailer.send(MESSAGE)).toMatchObject({ fate: 'unknown' });
  });

  it('gives up a server that stalls', async () => {
    server.treatment = 'stall';
    const impatient = mailerOf(server.port, { timeouts: { silenceMs: 200 } });
    expect(await impatient.send(MESSAGE)).toMatchObject({ fate: 'unknown' });
    const hurried = mailerOf(server.port, { timeouts: { attemptMs: 200 } });
    expect(await hurried.send(MESSAGE)).toMatchObject({ fate: 'unknown', cause: 'EABORT' });
  });

  it('postpones while no server listens, or one that does not greet', async () => {
    const closed = mailerOf(await freePort());
    expect(await closed.send(MESSAGE)).toMatchObject({ fate: 'postponed', cause: 'ESOCKET CONN' });
    const port = await silentServer();
    const mute = mailerOf(port, { timeouts: { connectMs: 200 } });
    expect(await mute.send(MESSAGE)).toMatchObject({ fate: 'postponed', cause: 'ETIMEDOUT CONN' });
  });

  it.each(['subject', 'id', 'text'] as const)('lets no %s add a header or a recipient', async (member) => {
    const value = 'x\r\nBcc: eve@example.com\r\n\r\n.\r\nMAIL FROM:<eve@example.com>';
    await mailer.send({ ...MESSAGE, [member]: value });
    expect(server.recipients).toEqual(['ada@example.com']);
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]?.headers).not.toHaveProperty('bcc');
  });

  it('reads no file and no address that a text names', async () => {
    await mailer.send({
      ...MESSAGE,
      html: '<img src="file:///etc/hostname"><img src="http://127.0.0.1:1/">',
    });
    expect(server.mails[0]?.html).toContain('file:///etc/hostname');
  });
});

async function silentServer(): Promise<number> {
  const server: Server = createServer((socket) => socket.on('error', () => undefined));
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return port;
}

describe('openSmtpMailer with TLS and credentials', () => {
  const credentials = { user: 'svc', password: 'right' };

  async function secured(options: Parameters<typeof MailServer.start>[0] = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-smtp-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const { authority, serverCertificate, serverKey } = makeCertificates(folder);
    const server = await serverOf({
      key: readFileSync(serverKey),
      cert: readFileSync(serverCertificate),
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        done(null, username === 'svc' && password === 'right' ? { user: username } : {}),
      ...options,
    });
    return { port: server.port, tls: { ca: readFileSync(authority, 'utf8') }, server };
  }

  it('upgrades the connection before it sends credentials', async () => {
    const { port, tls, server } = await secured();
    const mailer = mailerOf(port, { security: 'starttls', tls, credentials });
    expect((await mailer.send(MESSAGE)).fate).toBe('accepted');
    expect(server.mails).toHaveLength(1);
  });

  it('begins with TLS', async () => {
    const { port, tls } = await secured({ secure: true });
    const mailer = mailerOf(port, { security: 'implicit', tls, credentials });
    expect((await mailer.send(MESSAGE)).fate).toBe('accepted');
  });

  it('sends nothing to a server whose certificate it does not trust', async () => {
    const { port, server } = await secured();
    const mailer = mailerOf(port, { security: 'starttls', credentials });
    expect(await mailer.send(MESSAGE)).toMatchObject({
      fate: 'postponed',
      cause: expect.stringMatching(/^E(TLS|SOCKET) /),
    });
    expect(server.recipients).toEqual([]);
  });

  it('sends nothing to a server without STARTTLS', async () => {
    const server = await serverOf({ hideSTARTTLS: true });
    const mailer = mailerOf(server.port, { security: 'starttls' });
    expect((await mailer.send(MESSAGE)).fate).toBe('postponed');
    expect(server.recipients).toEqual([]);
  });

  it('postpones with a wrong password, which the operator can put right', async () => {
    const { port, tls } = await secured();
    const wrong = { user: 'svc', password: 'a wrong secret' };
    const mailer = mailerOf(port, { security: 'starttls', tls, credentials: wrong });
    const attempt = await mailer.send(MESSAGE);
    expect(attempt).toMatchObject({ fate: 'postponed', cause: 'EAUTH AUTH PLAIN 535' });
    expect(JSON.stringify(attempt)).not.toContain('a wrong secret');
  });

  it('sends nothing without the credentials that it has', async () => {
    const server = await serverOf({ disabledCommands: ['AUTH'] });
    const mailer = mailerOf(server.port, { credentials });
    expect((await mailer.send(MESSAGE)).fate).not.toBe('accepted');
    expect(server.mails).toEqual([]);
  });
});
