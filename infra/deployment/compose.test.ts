import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DCLinter } from 'dclint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { hasPrometheus } from '../dashboards/prometheus.fixture.ts';
import { deployedSettings, SECRET } from '../service/settings/deployed.fixture.ts';
import { ROLES, SETTING_NAMES } from '../service/settings/settings.ts';
import { ENGINE_NAMES } from '../tools/cluster/addresses.ts';

const text = read('compose.yaml');
const proxySettings = read('haproxy.cfg');
const packageJson = z
  .object({ name: z.string(), version: z.string(), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('../../package.json')));

const serviceSchema = z.looseObject({
  image: z.string(),
  profiles: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  command: z.array(z.string()).optional(),
  networks: z.unknown().optional(),
  ulimits: z.object({ core: z.int() }).optional(),
});

const services = servicesWith({});

describe('the compose file', () => {
  it('is what the Compose specification says, and what its linter is sure of', () => {
    expect(lint(fileURLToPath(new URL('compose.yaml', import.meta.url)))).toEqual([]);
    const folder = mkdtempSync(join(tmpdir(), 'compose-'));
    const misspelled = join(folder, 'compose.yaml');
    writeFileSync(misspelled, 'name: svc\nservices:\n  gateway:\n    imgae: svc:0.1.0\n');
    expect(lint(misspelled)).toEqual([expect.stringContaining('gateway')]);
    rmSync(folder, { recursive: true });
  });

  it('starts the servers alone unless told of the profile', () => {
    const always = Object.keys(services).filter((name) => services[name]?.profiles.length === 0);
    expect(always.sort()).toEqual([...ENGINE_NAMES].sort());
    const profiles = Object.values(services).flatMap((service) => service.profiles);
    expect(new Set(profiles)).toEqual(new Set(['service', 'monitoring']));
  });

  it.runIf(hasPrometheus())(
    'gives Prometheus a configuration that it takes, with the names of all processes',
    () => {
      const file = fileURLToPath(new URL('prometheus.yaml', import.meta.url));
      const check = ['check', 'config', '--syntax-only', file];
      expect(() => execFileSync('promtool', check, { stdio: 'pipe' })).not.toThrow();
      expect(read('prometheus.yaml')).toContain(`names: [${ROLES.join(', ')}]`);
    },
  );

  it('mounts files that exist', () => {
    const mounted = [...text.matchAll(/^ +- "?(\.\.?\/[^:]+):|\["(\.\/[^:]+):/gm)].map(
      ([, a, b]) => a ?? b ?? '',
    );
    expect(mounted.length).toBeGreaterThan(0);
    expect(mounted.filter((path) => !existsSync(new URL(path, import.meta.url)))).toEqual([]);
  });

  it('needs no variable to be read, for the launcher of the servers gives none of the service', () => {
    expect(text).not.toMatch(/\$\{\w+:?\?/);
    expect(text).not.toMatch(/\$\{\w+\}/);
  });

  it('takes only variables that mean something', () => {
    const names = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name ?? '');
    const own = names.filter(
      (name) => !/^SVC_CLUSTER_(KAFKA|CASSANDRA|REDIS)_PORT$|^SVC_COMPOSE_ADDRESS$/.test(name),
    );
    expect(own).toContain('SVC_SECRET');
    expect(own.filter((name) => !(SETTING_NAMES as readonly string[]).includes(name))).toEqual([]);
  });

  it.each([...ROLES, 'migrate'])('gives %s settings that it takes, once there are secrets', (name) => {
    const given = servicesWith({
      SVC_SECRET: SECRET,
      SVC_IDENTITY_SECRET: SECRET,
    });
    const { roles, hosts } = deployedSettings(given[name]?.environment ?? {});
    if (name !== 'migrate') expect(roles).toEqual([name]);
    expect(hosts.base).toBe('http://127.0.0.1:8787');
    expect(() => deployedSettings(services[name]?.environment ?? {})).toThrow(
      /^SVC_SECRET, SVC_IDENTITY_SECRET/,
    );
  });

  it('runs the image of this version, and what package.json says', () => {
    const image = `${packageJson.name}:${packageJson.version}`;
    const own = `${packageJson.name}-runner:${packageJson.version}`;
    for (const name of [...ROLES, 'migrate']) {
      expect(services[name]?.image).toBe(name === 'runner' ? own : image);
    }
    expect(services['migrate']?.command?.join(' ')).toBe(`${packageJson.scripts['ops']} migrate`);
  });

  it('lets no process leave its memory in a file when it crashes', () => {
    for (const name of [...ROLES, 'migrate']) {
      expect(services[name]?.ulimits).toEqual({ core: 0 });
      expect(services[name]?.environment).not.toHaveProperty('NODE_OPTIONS');
    }
    expect(read('Dockerfile')).not.toMatch(/--(report|heapsnapshot|abort)-/);
    const { reportOnFatalError, reportOnSignal, reportOnUncaughtException } = process.report;
    expect([reportOnFatalError, reportOnSignal, reportOnUncaughtException]).toEqual([false, false, false]);
  });

  it('lets gateways trust their proxy only', () => {
    const { edge } = z
      .object({ edge: z.object({ ipv4_address: z.ipv4() }) })
      .parse(services['proxy']?.networks);
    expect(services['gateway']?.environment['TRUSTED_PROXIES']).toBe(`${edge.ipv4_address}/32`);
    expect(proxySettings).toContain('http-request set-header X-Forwarded-For %[src]\n');
  });
});

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

/** The part of the linter's results that is used here; its types do not resolve. */
interface LintResult {
  readonly messages: readonly { readonly message: string }[];
}

/** Rules about the order and the quotes of things, which are a matter of taste, and one that reads no variables. */
const RULES_OFF = [
  ...['no-quotes-in-volumes', 'no-unbound-port-interfaces', 'require-quotes-in-ports', 'no-build-and-image'],
  ...['service-keys-order', 'services-alphabetical-order', 'top-level-properties-order'],
];

/** Returns the linter's findings in a file. It checks by the schema of Compose first. */
function lint(file: string): string[] {
  const rules = Object.fromEntries(RULES_OFF.map((rule) => [rule, 0 as const]));
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  const results: readonly LintResult[] = linter.lintFiles([file], false);
  return results.flatMap(({ messages }) => messages.map(({ message }) => message));
}

/** The services with their variables as the tool fills them in: after it has read the file. */
function servicesWith(
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, z.infer<typeof serviceSchema>>> {
  const filled = JSON.stringify(parse(text, { merge: true })).replaceAll(
    /\$\{(\w+):-([^}]*)\}/g,
    (_, name: string, fallback: string) => variables[name] ?? fallback,
  );
  return z.looseObject({ services: z.record(z.string(), serviceSchema) }).parse(JSON.parse(filled)).services;
}
