import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailServer } from '../../testing/mail-server.fixture.ts';
import { ops } from './ops.fixture.ts';

let server: MailServer;
beforeAll(async () => {
  server = await MailServer.start();
});
afterAll(() => server?.close());

describe('npm run ops -- mail test', () => {
  const variables = () => ({ SVC_SMTP_URL: server.url, SVC_MAIL_FROM: 'Svc <svc@mail.example>' });

  it('sends one message to the address', async () => {
    const { data, lines, failed } = await ops(variables(), 'mail', 'test', 'ada@example.com');
    expect(data).toMatchObject({ from: 'svc@mail.example', fate: 'accepted' });
    expect(lines[0]).toMatch(/^127\.0\.0\.1:\d+ accepted the message/);
    expect(failed).toBe(false);
    expect(server.mails[0]).toMatchObject({ to: 'ada@example.com', headers: { subject: 'Test of mail' } });
  });

  it('fails with the words of the server', async () => {
    server.treatment = { recipient: { code: 554, text: '5.7.1 the sender is not known here' } };
    const { lines, failed } = await ops(variables(), 'mail', 'test', 'ada@example.com');
    expect(lines.join()).toMatch(/refused the message for good.*the sender is not known here/);
    expect(failed).toBe(true);
  });

  it('needs an address and the settings', async () => {
    await expect(ops(variables(), 'mail', 'test', 'ada')).rejects.toThrow('address: seen "ada"');
    await expect(ops({}, 'mail', 'test', 'ada@example.com')).rejects.toThrow(
      'SVC_SMTP_URL and SVC_MAIL_FROM',
    );
  });
});
