import { expect, it } from 'vitest';
import { securityText } from './security-text.ts';

it('securityText names the contacts, and an end that is less than a year away', () => {
  const now = Date.UTC(2026, 10, 28, 12);
  const contacts = ['mailto:security@example.com', 'https://example.com/report'];
  expect(securityText(contacts, { base: 'https://svc.example' }, now)).toBe(
    [
      'Contact: mailto:security@example.com',
      'Contact: https://example.com/report',
      'Expires: 2027-05-27T00:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://svc.example/.well-known/security.txt',
      'Policy: https://svc.example/docs/security',
      '',
    ].join('\n'),
  );
});
