// Reads: the environment, handed in, and the files that it names. The only place that knows the names of its variables.
import { isIP, isIPv6 } from 'node:net';
import { z } from 'zod';
import type { OidcSettings } from '../../../gateway/people/oidc-client.ts';
import { type AddressBlock, parseBlock } from '../../../topics/ports/address-block.ts';
import {
  CLUSTER_SECRETS,
  type ClusterSettings,
  clusterOf,
  clusterShape,
  partsOf,
} from './cluster-settings.ts';
import { isLoopback } from './loopback.ts';
import { MAIL_SECRETS, type MailSettings, mailOf, mailShape } from './mail-settings.ts';
import { StartError } from './start-error.ts';
import { TRACING_SECRETS, tracingOf, tracingShape, withoutUnusedTracing } from './tracing-settings.ts';
import { unknownVariables } from './unknown-variables.ts';
import { readVariableFiles } from './variable-files.ts';

/** The roles of the process. The embedded engine lives in one process, which has all of them. */
export const ROLES = ['gateway', 'processors', 'workers', 'runner'] as const;
export type Role = (typeof ROLES)[number];

const PORT_MAX = 65_535;
const SECRET_CHARACTERS_MIN = 32;
const WORKER_THREADS_MAX = 64;
const BROWSERS_MAX = 32;
const GATEWAY_PROCESSES_MAX = 64;
const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/;
const HTTP = /^https?:/;
const MIB = 1_024 * 1_024;
/** 1 TiB. */
const DISK_RESERVE_MIB_MAX = MIB;

/** A whole number in plain digits. */
function wholeNumber(min: number, max: number) {
  const message = `expected a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((number) => number >= min && number <= max, message);
}

const portSchema = wholeNumber(1, PORT_MAX);
const flagSchema = z.enum(['0', '1']).transform((flag) => flag === '1');
const secretSchema = z.string().min(SECRET_CHARACTERS_MIN, `expected at least ${SECRET_CHARACTERS_MIN}`);

const hostSchema = z.string().refine(
  // A name that ends in digits is an address with a fault in it (WHATWG URL, host parsing), and no address of a page has a zone.
  (host) => (isIP(host) !== 0 || HOST_NAME.test(host)) && URL.canParse(addressOf(host, 1)),
  'expected an IP address without a zone, or a host name; a shell may have set it, such as that of conda',
);

/** A base address: an origin without a path. */
const baseUrlSchema = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text && HTTP.test(text),
    'expected an http or https origin such as https://api.example.com',
  );

const blockSchema = z.string().transform((text, context): AddressBlock => {
  const block = parseBlock(text);
  if (block !== null) return block;
  context.addIssue('expected blocks of addresses such as 203.0.113.0/24,2001:db8::/32');
  return z.NEVER;
});

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((text) => partsOf(String(text)), z.array(item));

/** Every variable with its default and what it allows. `.env.example` documents each; a test holds the two together. */
const environmentSchema = z.object({
  SVC_ENGINE: z.enum(['embedded', 'cluster']).default('embedded'),
  ...clusterShape,
  SVC_DATA_FOLDER: z.string().min(1).default('.data'),
  SVC_DISK_RESERVE_MIB: wholeNumber(1, DISK_RESERVE_MIB_MAX).default(256),
  HOST: hostSchema.default('127.0.0.1'),
  PORT: portSchema.default(8787),
  BASE_URL: baseUrlSchema.optional(),
  LIMITER_URL: baseUrlSchema.optional(),
  INGEST_URL: baseUrlSchema.optional(),
  CONSOLE_URL: baseUrlSchema.optional(),
  DASHBOARD_URL: baseUrlSchema.optional(),
  SVC_ROLES: listOf(z.enum(ROLES)).default([...ROLES]),
  SVC_GATEWAY_PROCESSES: wholeNumber(1, GATEWAY_PROCESSES_MAX).default(1),
  SVC_SECRET: secretSchema.optional(),
  SVC_SECRET_PREVIOUS: secretSchema.optional(),
  SVC_IDENTITY_SECRET: secretSchema.optional(),
  SVC_LIMITS_FILE: z.string().min(1).optional(),
  BILLING_WEBHOOK_SECRET: secretSchema.optional(),
  TRUSTED_PROXIES: listOf(
    z
      .string()
      .refine(
        (text) => parseBlock(text) !== null,
        'expected networks such as 10.0.0.0/8 or fd00::/8, separated by commas',
      ),
  ).default([]),
  SIGN_UP: z.enum(['open', 'invite', 'off']).optional(),
  OIDC_ISSUER: z.url({ protocol: /^https?$/, error: 'expected an http or https address' }).optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  ...mailShape,
  SECURITY_CONTACT: listOf(
    z.url({
      protocol: /^(https|mailto|tel)$/,
      error: 'expected addresses such as mailto:security@example.com, separated by commas',
    }),
  ).default([]),
  SVC_ALLOW_LOOPBACK: flagSchema.default(false),
  SVC_LOOPBACK_PORTS: listOf(portSchema).default([]),
  SVC_EGRESS_DENIED: listOf(blockSchema).default([]),
  SVC_WORKER_THREADS: wholeNumber(1, WORKER_THREADS_MAX).default(2),
  SVC_CHROMIUM: z.string().startsWith('/', 'expected the absolute path of a program').optional(),
  SVC_RUNNER_SANDBOX: flagSchema.default(true),
  SVC_RUNNER_BROWSERS: wholeNumber(1, BROWSERS_MAX).default(2),
  ...tracingShape,
  METRICS: z.enum(['on', 'off']).default('on'),
  METRICS_TOKEN: secretSchema.regex(/^[!-~]*$/, 'expected characters of ASCII without spaces').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
});

type Environment = z.infer<typeof environmentSchema>;

export const SETTING_NAMES = Object.keys(environmentSchema.shape) as (keyof Environment)[];

/** Variables whose value is never shown. */
const SECRET_NAMES: readonly string[] = [
  ...CLUSTER_SECRETS,
  ...TRACING_SECRETS,
  ...MAIL_SECRETS,
  'SVC_SECRET',
  'SVC_SECRET_PREVIOUS',
  'SVC_IDENTITY_SECRET',
  'OIDC_CLIENT_SECRET',
  'BILLING_WEBHOOK_SECRET',
  'METRICS_TOKEN',
];

/** The settings of one process, checked as a whole. */
export type Settings = Readonly<ReturnType<typeof settingsOf>> & {
  /** Possible mistakes that do not stop the start: one line each, for the log. */
  readonly warnings: readonly string[];
};

/** A setting that stops the start. The message names the variable, what was seen and what is allowed. */
export class SettingsError extends StartError {
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

/**
 * Reads the settings from environment variables. An empty variable counts as absent, and `NAME_FILE` names a file that
 * holds the value of `NAME`.
 *
 * @throws {SettingsError} with one line for each variable that is wrong.
 */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  const set = Object.entries(variables).filter(isSet);
  const { variables: present, problems } = readVariableFiles(Object.fromEntries(set), SETTING_NAMES);
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  const unknown = unknownVariables(Object.keys(present), SETTING_NAMES);
  if (unknown.problems.length > 0) throw new SettingsError(unknown.problems.join('\n'));
  const parsed = environmentSchema.safeParse(withoutUnusedTracing(present));
  if (!parsed.success) throw new SettingsError(describe(parsed.error, present));
  const environment = parsed.data;
  const settings = {
    ...settingsOf(environment),
    warnings: [...unknown.warnings, ...wrappedSecrets(present), ...warningsOf(environment)],
  };
  refuseContradictions(environment, settings);
  return settings;
}

function isSet(variable: [string, string | undefined]): variable is [string, string] {
  return variable[1] !== undefined && variable[1] !== '';
}

/** The origin of a host and a port, as browsers write it: `0x0` is `0.0.0.0`, and port 80 is left out. */
function originOf(host: string, port: number): string {
  return new URL(addressOf(host, port)).origin;
}

/** An IPv6 address stands in brackets (RFC 3986, 3.2.2). */
function addressOf(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** A host in the one form of its address or name. */
function canonicalHost(host: string): string {
  return new URL(addressOf(host, 1)).hostname.replace(/^\[|\]$/g, '');
}

function consoleOf(environment: Environment): string {
  return environment.CONSOLE_URL ?? environment.BASE_URL ?? originOf(environment.HOST, environment.PORT);
}

/** Sign-up is open to all clients of the listener only if it is reachable from this machine alone. */
function signUpOf(environment: Environment): NonNullable<Environment['SIGN_UP']> {
  const hosts = [new URL(consoleOf(environment)).hostname, canonicalHost(environment.HOST)];
  return environment.SIGN_UP ?? (hosts.every(isLoopback) ? 'open' : 'invite');
}

/** Quotes that `docker run --env-file` leaves in place, and line ends: the other side of a secret has it without. */
const WRAPPED = /^(["']).*\1$|^\s|\s$/s;

function wrappedSecrets(present: Readonly<Record<string, string>>): string[] {
  return SECRET_NAMES.filter((name) => WRAPPED.test(present[name] ?? '')).map(
    (name) => `${name}: seen quotes around it, or white space at an end, which count as a part of it`,
  );
}

function warningsOf(environment: Environment): string[] {
  const { HOST: host, BASE_URL: baseUrl, SVC_ALLOW_LOOPBACK: allowsLoopback } = environment;
  const console = new URL(consoleOf(environment));
  const warnings: string[] = [];
  if (allowsLoopback && environment.SVC_LOOPBACK_PORTS.length === 0) {
    warnings.push(
      'SVC_LOOPBACK_PORTS: seen none with SVC_ALLOW_LOOPBACK=1, so no origin of this machine is admitted',
    );
  }
  if (baseUrl === undefined && ANY_ADDRESS.includes(canonicalHost(host))) {
    warnings.push(
      `BASE_URL: seen none with HOST=${host}, so links begin with ${originOf(host, environment.PORT)}, where no other machine gets in, and the console refuses every other origin; set it to the address that people open`,
    );
  } else if (console.protocol !== 'https:' && !isLoopback(console.hostname)) {
    warnings.push(
      `CONSOLE_URL: ${console.origin} is plain HTTP beyond this machine, where passwords and sessions can be read on the way; use https`,
    );
  }
  return warnings;
}

function settingsOf(environment: Environment) {
  const base = environment.BASE_URL ?? originOf(environment.HOST, environment.PORT);
  const console = consoleOf(environment);
  return {
    /** The servers of the engine; null: the embedded one. */
    cluster: clusterSettings(environment),
    dataFolder: environment.SVC_DATA_FOLDER,
    /** Free bytes of the data folder's disk below which nothing new is taken. */
    diskReserveBytes: environment.SVC_DISK_RESERVE_MIB * MIB,
    host: canonicalHost(environment.HOST),
    port: environment.PORT,
    hosts: {
      base,
      limiter: environment.LIMITER_URL ?? base,
      ingest: environment.INGEST_URL ?? base,
      console,
      dashboard: environment.DASHBOARD_URL ?? console,
    },
    roles: environment.SVC_ROLES,
    /** The processes that share the port of a gateway. */
    gatewayProcesses: environment.SVC_GATEWAY_PROCESSES,
    secret: environment.SVC_SECRET ?? null,
    secretPrevious: environment.SVC_SECRET_PREVIOUS ?? null,
    identitySecret: environment.SVC_IDENTITY_SECRET ?? null,
    limitsFile: environment.SVC_LIMITS_FILE ?? null,
    /** The key with which the billing provider signs its events; null without a provider. */
    billingSecret: environment.BILLING_WEBHOOK_SECRET ?? null,
    trustedProxies: environment.TRUSTED_PROXIES,
    /** The people who may sign up in the console. */
    signUp: signUpOf(environment),
    /** The identity provider that people may sign in with. */
    oidc: oidcOf(environment),
    /** The mail server and the sender; null: no mail is sent, and pages offer none. */
    mail: mailSettings(environment),
    /** The contacts for reports of a vulnerability; empty: none is named. */
    securityContacts: environment.SECURITY_CONTACT,
    /** Blocks of public addresses that browser checks do not reach. */
    egressDenied: environment.SVC_EGRESS_DENIED,
    /** Ports at which loopback origins are admitted; empty unless `SVC_ALLOW_LOOPBACK=1`. */
    loopbackPorts: environment.SVC_ALLOW_LOOPBACK ? environment.SVC_LOOPBACK_PORTS : [],
    workerThreads: environment.SVC_WORKER_THREADS,
    /** The browsers of the role `runner`. */
    runner: {
      chromium: environment.SVC_CHROMIUM ?? null,
      sandbox: environment.SVC_RUNNER_SANDBOX,
      browsers: environment.SVC_RUNNER_BROWSERS,
    },
    /** The collector of traces; null: there are no traces. */
    tracing: tracingOf(environment),
    /** The metrics of this process, and the token with which other machines read them; null: nothing is counted. */
    metrics: environment.METRICS === 'off' ? null : { token: environment.METRICS_TOKEN ?? null },
    logLevel: environment.LOG_LEVEL,
  };
}

function clusterSettings(environment: Environment): ClusterSettings | null {
  if (environment.SVC_ENGINE === 'embedded') return null;
  const cluster = clusterOf(environment);
  if ('problem' in cluster) throw new SettingsError(cluster.problem);
  return cluster;
}

function mailSettings(environment: Environment): MailSettings | null {
  const mail = mailOf(environment);
  if (mail !== null && 'problem' in mail) throw new SettingsError(mail.problem);
  return mail;
}

function oidcOf(environment: Environment): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = environment;
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return null;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    throw new SettingsError(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: seen some of them; set all three or none',
    );
  }
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    throw new SettingsError(`OIDC_ISSUER: seen "${issuer}"; expected https, or http on a loopback address`);
  }
  return { issuer, clientId, clientSecret };
}

function refuseContradictions(
  environment: Environment,
  { hosts, roles, gatewayProcesses, cluster, secret, identitySecret }: Settings,
): void {
  if (hosts.dashboard !== hosts.console) {
    throw new SettingsError(
      `DASHBOARD_URL: seen ${hosts.dashboard}; it has to be the origin of the console, ${hosts.console}`,
    );
  }
  const missing = ROLES.filter((role) => !roles.includes(role));
  if (missing.length > 0 && cluster === null) {
    throw new SettingsError(
      `SVC_ROLES: ${missing.join(', ')} missing; the embedded engine is one process with every role`,
    );
  }
  if (gatewayProcesses > 1 && cluster === null) {
    throw new SettingsError(
      `SVC_GATEWAY_PROCESSES: seen ${gatewayProcesses}; the embedded engine is one process, so several need SVC_ENGINE=cluster`,
    );
  }
  if (gatewayProcesses > 1 && roles.join() !== 'gateway') {
    throw new SettingsError(
      `SVC_GATEWAY_PROCESSES: seen ${gatewayProcesses} with SVC_ROLES=${roles.join()}; only a gateway that has no other role shares its port`,
    );
  }
  if (roles.length === 0) throw new SettingsError('SVC_ROLES: seen none; a process has at least one role');
  if (cluster !== null && (secret === null || identitySecret === null)) {
    throw new SettingsError(
      'SVC_SECRET, SVC_IDENTITY_SECRET: a cluster needs both, the same for every process',
    );
  }
  const open = Object.values(hosts).find((host) => !isLoopback(new URL(host).hostname));
  if (environment.SVC_ALLOW_LOOPBACK && open !== undefined) {
    throw new SettingsError(
      `SVC_ALLOW_LOOPBACK: seen 1 while ${open} is not a loopback address; it is for demos and tests only`,
    );
  }
}

/** The addresses at which a process listens on every network, and which are none of a machine. */
const ANY_ADDRESS: readonly string[] = ['0.0.0.0', '::', '::ffff:0:0'];

function describe(error: z.ZodError, seen: Record<string, string | undefined>): string {
  const lines = error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const value = seen[name] ?? '';
    const shown = SECRET_NAMES.includes(name) ? `${value.length} characters` : JSON.stringify(value);
    return `${name}: seen ${shown}; ${issue.message}`;
  });
  return [...new Set(lines)].join('\n');
}
