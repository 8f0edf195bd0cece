import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from './settings.ts';

const FROM = { SVC_MAIL_FROM: 'svc@mail.example' };
const mailOf = (url: string, more: Record<string, string> = {}) =>
  readSettings({ SVC_SMTP_URL: url, ...FROM, ...more }).mail;

const problem = (variables: Record<string, string>): string => {
  try {
    readSettings(variables);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return 'none';
};

describe('the settings of mail', () => {
  it('are none by default', () => {
    expect(readSettings({}).mail).toBeNull();
  });

  it.each([
    ['smtp://relay.example', 'relay.example', 587, 'starttls'],
    ['smtp://relay.example:25?starttls=off', 'relay.example', 25, 'none'],
    ['smtp://127.0.0.1:2525', '127.0.0.1', 2525, 'none'],
    ['smtp://[::1]', '::1', 587, 'none'],
    ['smtp://localhost?starttls=required', 'localhost', 587, 'starttls'],
    ['smtps://relay.example/', 'relay.example', 465, 'implicit'],
  ])('read %s', (url, host, port, security) => {
    const from = { name: '', address: 'svc@mail.example' };
    expect(mailOf(url)).toEqual({ host, port, security, credentials: null, from });
  });

  it('have credentials, an authority and a name of the sender', () => {
    const ca = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
    const more = { SVC_SMTP_TLS_CA: ca, SVC_MAIL_FROM: 'Société Svc <svc@mail.example>' };
    expect(mailOf('smtps://svc%40example.com:p%3A%2Fss@relay.example', more)).toMatchObject({
      credentials: { user: 'svc@example.com', password: 'p:/ss' },
      tls: { ca },
      from: { name: 'Société Svc', address: 'svc@mail.example' },
    });
  });

  it.each([
    'relay.example:25',
    'http://relay.example',
    'smtp://',
    'smtp://user@relay.example',
    'smtp://:secret@relay.example',
    'smtp://user:%zz@relay.example',
    'smtp://relay.example/path',
    'smtp://relay.example?starttls=maybe',
    'smtp://relay.example?tls=off',
    'smtps://relay.example?starttls=off',
  ])('stop the start at the server %s without showing it', (url) => {
    const message = problem({ SVC_SMTP_URL: url, ...FROM });
    expect(message).toBe(
      `SVC_SMTP_URL: seen ${url.length} characters; ${message.slice(message.indexOf('expected'))}`,
    );
    expect(message).not.toContain('secret@relay');
  });

  it.each([
    'svc',
    'Svc <svc>',
    'a@b.example\r\nBcc: c@d.example',
    '"Svc" <a@b.example>',
    'a@b.example, c@d.example',
  ])('stop the start at the sender %j', (from) => {
    expect(problem({ SVC_SMTP_URL: 'smtp://localhost', SVC_MAIL_FROM: from })).toMatch(
      /^SVC_MAIL_FROM: seen/,
    );
  });

  it('come together', () => {
    expect(problem(FROM)).toMatch(/^SVC_SMTP_URL and SVC_MAIL_FROM: seen one of them/);
    expect(problem({ SVC_SMTP_URL: 'smtp://localhost' })).toMatch(/seen one of them/);
    expect(problem({ SVC_SMTP_TLS_CA: '-----BEGIN CERTIFICATE-----' })).toMatch(/seen without SVC_SMTP_URL/);
  });
});
