import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../schemas/base/time.ts';
import { invitationText } from './invitation.ts';
import { renderMail } from './layout.ts';
import { inertName, timeInWords } from './mail-text.ts';

const NOW = Date.UTC(2026, 10, 29, 13, 5);

const invitation = (organization: string) =>
  renderMail(
    invitationText({
      console: 'https://console.example.com',
      link: 'https://console.example.com/invitation#code',
      organization,
      role: 'member',
      invitedBy: 'ada@example.com',
      endsAt: NOW + 7 * DAY_MS,
      now: NOW,
    }),
  );

describe('renderMail', () => {
  it.each(['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "'&amp;", '</title><b>'])(
    'shows %s as text',
    (name) => {
      const { html, text } = invitation(name);
      expect(html).not.toContain(name);
      expect(html).not.toMatch(/<(script|img|b)\b/);
      expect(text).toContain(inertName(name));
    },
  );

  it('has the link of the service only, and nothing from elsewhere', () => {
    const { html, text } = invitation('Win at https://evil.example or evil.example, mail eve@evil.example');
    const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link]) => link);
    expect(new Set(links)).toEqual(new Set(['https://console.example.com/invitation#code']));
    expect(`${html}${text}`).not.toMatch(/https:\/\/evil|evil\.example|eve@evil/);
    expect(html).not.toMatch(/@import|url\(/);
  });
});

describe('timeInWords', () => {
  it.each([
    [HOUR_MS, 'Sunday, 29 November 2026 at 14:05 UTC, 60 minutes from now'],
    [3 * HOUR_MS, 'Sunday, 29 November 2026 at 16:05 UTC, 3 hours from now'],
    [7 * DAY_MS, 'Sunday, 6 December 2026 at 13:05 UTC, 7 days from now'],
    [1, 'Sunday, 29 November 2026 at 13:05 UTC, 1 minute from now'],
  ])('says what %i ms are', (ms, words) => {
    expect(timeInWords(NOW + ms, NOW)).toBe(words);
  });
});
