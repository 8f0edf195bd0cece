import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSettings, SETTING_NAMES, SettingsError } from './settings.ts';

const problem = (variables: Record<string, string>): string => {
  try {
    readSettings(variables);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return 'none';
};

describe('readSettings', () => {
  it('serves every host at one loopback address by default', () => {
    const { hosts, port, roles } = readSettings({});
    expect(new Set(Object.values(hosts))).toEqual(new Set(['http://127.0.0.1:8787']));
    expect(port).toBe(8787);
    expect(roles).toEqual(['gateway', 'processors', 'workers']);
  });

  it('takes what .env.example says, which names every setting and no other', () => {
    const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
    const lines = [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)];
    expect(lines.map((line) => line[1]).sort()).toEqual([...SETTING_NAMES].sort());
    expect(readSettings(Object.fromEntries(lines.map((line) => [line[1], line[2]])))).toEqual(
      readSettings({}),
    );
  });

  it.each([
    [{ PORT: '70000' }, /^PORT: seen "70000"; .*65535/],
    [
      { BASE_URL: 'https://api.example.com/v1' },
      /^BASE_URL: seen "https:\/\/api.example.com\/v1"; expected an origin/,
    ],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: seen "loud"; .*"fatal"/],
    [{ SVC_ROLES: 'gateway' }, /^SVC_ROLES: processors, workers missing/],
    [{ SVC_ROLES: 'gateway,cook' }, /^SVC_ROLES: /],
    [{ TRUSTED_PROXIES: '10.0.0.1' }, /^TRUSTED_PROXIES: /],
    [
      { CONSOLE_URL: 'https://console.example.com', DASHBOARD_URL: 'https://keys.example.com' },
      /^DASHBOARD_URL: seen/,
    ],
    [
      { SVC_ALLOW_LOOPBACK: '1', BASE_URL: 'https://api.example.com' },
      /^SVC_ALLOW_LOOPBACK: .*api.example.com/,
    ],
  ])('stops the start at %j', (variables, message) => {
    expect(problem(variables)).toMatch(message);
  });

  it('never shows a secret', () => {
    const message = problem({ SVC_SECRET: 'too-short-and-private' });
    expect(message).toMatch(/^SVC_SECRET: seen 21 characters/);
    expect(message).not.toContain('private');
  });

  it('admits loopback origins only when told to', () => {
    expect(readSettings({ SVC_LOOPBACK_PORTS: '3000' }).loopbackPorts).toEqual([]);
    expect(readSettings({ SVC_LOOPBACK_PORTS: '3000,3001', SVC_ALLOW_LOOPBACK: '1' }).loopbackPorts).toEqual([
      3000, 3001,
    ]);
  });
});
