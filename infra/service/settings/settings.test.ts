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
    expect(roles).toEqual(['gateway', 'processors', 'workers', 'runner']);
  });

  it('takes what .env.example says, which names every setting and no other', () => {
    const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
    const lines = [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)];
    expect(lines.map((line) => line[1]).sort()).toEqual([...SETTING_NAMES].sort());
    expect(readSettings(Object.fromEntries(lines.map((line) => [line[1], line[2]])))).toEqual(
      readSettings({}),
    );
  });

  it.each([
    [{ PORT: '70000' }, /^PORT: seen "70000"; expected a whole number from 1 to 65535$/],
    [{ PORT: 'abc' }, /^PORT: seen "abc"; expected a whole number from 1 to 65535$/],
    [{ PORT: '1e3' }, /^PORT: seen "1e3"; expected a whole number/],
    [{ SVC_WORKER_THREADS: '0' }, /^SVC_WORKER_THREADS: seen "0"; expected a whole number from 1 to 64$/],
    [
      { HOST: 'http://127.0.0.1' },
      /^HOST: seen .*; expected an IP address without a zone, or a host name; a shell may have set it/,
    ],
    [
      { HOST: '[::1]' },
      /^HOST: seen .*; expected an IP address without a zone, or a host name; a shell may have set it/,
    ],
    [
      { HOST: 'fe80::1%lo' },
      /^HOST: seen .*; expected an IP address without a zone, or a host name; a shell may have set it/,
    ],
    [
      { HOST: '999.1.1.1' },
      /^HOST: seen .*; expected an IP address without a zone, or a host name; a shell may have set it/,
    ],
    [{ BASE_URL: 'ftp://api.example.com' }, /^BASE_URL: seen "ftp:.*"; expected an http or https origin/],
    [
      { TRUSTED_PROXIES: '10.0.0.0' },
      /^TRUSTED_PROXIES: seen "10.0.0.0"; expected networks such as 10.0.0.0\/8/,
    ],
    [{ OIDC_ISSUER: 'ftp://x.example' }, /^OIDC_ISSUER: seen .*; expected an http or https address$/],
    [{ SVC_DATA_FOLDR: 'x' }, /^SVC_DATA_FOLDR: no such variable; did you mean SVC_DATA_FOLDER\?$/],
    [{ SVC_SECRET_FIEL: 'x' }, /^SVC_SECRET_FIEL: no such variable; did you mean SVC_SECRET_FILE\?$/],
    [
      { BASE_URL: 'https://api.example.com/v1' },
      /^BASE_URL: seen "https:\/\/api.example.com\/v1"; expected an http or https origin/,
    ],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: seen "loud"; .*"fatal"/],
    [{ SVC_ROLES: 'gateway' }, /^SVC_ROLES: processors, workers, runner missing/],
    [{ SVC_ROLES: 'gateway,cook' }, /^SVC_ROLES: /],
    [{ SVC_GATEWAY_PROCESSES: '65' }, /^SVC_GATEWAY_PROCESSES: seen "65"; .* from 1 to 64$/],
    [
      { SVC_GATEWAY_PROCESSES: '2' },
      /^SVC_GATEWAY_PROCESSES: seen 2; the embedded engine is one process, so several need SVC_ENGINE=cluster$/,
    ],
    [{ HOST: 'x86_64-conda-linux-gnu' }, /^HOST: seen .*; a shell may have set it, such as that of conda$/],
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

  it('listens on an IPv6 address, and writes it in brackets where it is part of an address', () => {
    const { host, hosts, signUp } = readSettings({ HOST: '::1' });
    expect({ host, base: hosts.base, signUp }).toEqual({
      host: '::1',
      base: 'http://[::1]:8787',
      signUp: 'open',
    });
  });

  it('opens the sign-up by itself only where both the listener and the console are on loopback', () => {
    const signUpOf = (variables: Record<string, string>) => readSettings(variables).signUp;
    expect(signUpOf({})).toBe('open');
    expect(signUpOf({ HOST: 'localhost' })).toBe('open');
    expect(signUpOf({ HOST: '0.0.0.0', BASE_URL: 'http://127.0.0.1:8787' })).toBe('invite');
    expect(signUpOf({ HOST: '::', BASE_URL: 'http://127.0.0.1:8787' })).toBe('invite');
    expect(signUpOf({ BASE_URL: 'https://api.example.com' })).toBe('invite');
    expect(signUpOf({ HOST: '0.0.0.0', SIGN_UP: 'open' })).toBe('open');
  });

  it('warns of a console on plain HTTP beyond loopback, and of variables that it does not know', () => {
    expect(readSettings({ PATH: '/bin', SVC_TEST_KAFKA: 'x', SVC_CLUSTER_FOLDER: 'x' }).warnings).toEqual([]);
    expect(readSettings({ CONSOLE_URL: 'http://console.example.com' }).warnings).toEqual([
      expect.stringMatching(/^CONSOLE_URL: .*plain HTTP/),
    ]);
    expect(readSettings({ SVC_SERVICE_HOST: '10.0.0.1' }).warnings).toEqual([
      'SVC_SERVICE_HOST: no such variable; it changes nothing',
    ]);
  });

  it.each(['0.0.0.0', '::', '0:0::0', '0', '0x0', '0.0', '::ffff:0.0.0.0'])(
    'warns of HOST=%s without the address that people open',
    (HOST) => {
      expect(readSettings({ HOST }).warnings).toEqual([
        expect.stringMatching(/^BASE_URL: seen none with HOST=/),
      ]);
      expect(readSettings({ HOST, BASE_URL: 'https://svc.example.com' }).warnings).toEqual([]);
    },
  );

  it.each([
    ...['10/8', '010.0.0.0/8', '10.0.0.0', '10.0.0.0/33', 'proxy.example/8'],
    ...['::ffff:10.0.0.0/104', '::ffff:a00:0/104', 'fe80::1%lo/64'],
  ])('refuses the network %s in each setting of networks', (network) => {
    for (const name of ['TRUSTED_PROXIES', 'SVC_EGRESS_DENIED']) {
      expect(problem({ [name]: `198.51.100.0/24,${network}` })).toMatch(new RegExp(`^${name}: seen `));
    }
  });

  it.each([
    [{ HOST: '127.1' }, 'http://127.0.0.1:8787', 'open'],
    [{ HOST: 'LOCALHOST' }, 'http://localhost:8787', 'open'],
    [{ HOST: '2130706433', PORT: '80' }, 'http://127.0.0.1', 'open'],
    [{ HOST: '0' }, 'http://0.0.0.0:8787', 'invite'],
    [{ HOST: '::ffff:127.0.0.1' }, 'http://[::ffff:7f00:1]:8787', 'open'],
  ])('reads the host of %j as browsers do', (variables, console, signUp) => {
    expect(readSettings(variables)).toMatchObject({ hosts: { console }, signUp });
  });

  it('warns of admitted origins of this machine without a port', () => {
    expect(readSettings({ SVC_ALLOW_LOOPBACK: '1' }).warnings).toEqual([
      expect.stringMatching(/^SVC_LOOPBACK_PORTS: seen none with SVC_ALLOW_LOOPBACK=1/),
    ]);
  });

  it.each(['"%"', "'%'", '%\n', ' %'])('warns of a secret in the form %j', (form) => {
    const secret = 'a-private-secret-of-the-billing-provider';
    const { warnings } = readSettings({ BILLING_WEBHOOK_SECRET: form.replace('%', secret) });
    expect(warnings).toEqual([expect.stringMatching(/^BILLING_WEBHOOK_SECRET: seen quotes around it, or/)]);
    expect(warnings.join()).not.toContain('private');
    expect(readSettings({ BILLING_WEBHOOK_SECRET: secret }).warnings).toEqual([]);
  });

  it('never shows a secret', () => {
    const message = problem({ SVC_SECRET: 'too-short-and-private' });
    expect(message).toMatch(/^SVC_SECRET: seen 21 characters; expected at least 32$/);
    expect(message).not.toContain('private');
  });

  it('admits loopback origins only when told to', () => {
    expect(readSettings({ SVC_LOOPBACK_PORTS: '3000' }).loopbackPorts).toEqual([]);
    expect(readSettings({ SVC_LOOPBACK_PORTS: '3000,3001', SVC_ALLOW_LOOPBACK: '1' }).loopbackPorts).toEqual([
      3000, 3001,
    ]);
  });
});
