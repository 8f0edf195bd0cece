import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { CommandFailure, type Next } from '../failure.ts';
import type { Dated } from '../http/client.ts';
import { proxyVariables, unusedProxyVariables } from '../http/proxy.ts';
import { table } from '../output/blocks.ts';
import { clientOf, findFolder, givenBaseUrl, readProject } from '../project.ts';
import { workspaceOfEnvironment } from '../state/environment-workspace.ts';
import type { PrivateFolder } from '../state/private-folder.ts';
import { isIgnoredByGit } from '../state/workspace-file.ts';
import { askStatus, hasEnded, removeUsedLink } from '../workspace/status.ts';

/** The clock difference from which signatures and times of other tools go wrong. */
const CLOCK_APART_MS = 60_000;

const RESULTS = ['ok', 'warning', 'failed', 'skipped'] as const;

export const doctorOutput = z.object({
  version: z.string().describe('version of this tool'),
  runtime: z.string(),
  checks: z.array(
    z.object({
      check: z.string(),
      result: z.enum(RESULTS),
      detail: z.string(),
      next: z.string().nullable().describe('a command that helps, or null'),
    }),
  ),
});

interface Check {
  readonly check: string;
  readonly result: (typeof RESULTS)[number];
  readonly detail: string;
  readonly next?: Next | null;
}

const capabilitiesSchema = z.object({
  products: z.array(z.object({ browser: z.string().optional() })),
  downloads: z.array(z.object({ name: z.string(), version: z.string() })),
});

/** Checks everything between this tool and the workspace. */
export async function runDoctor(context: CommandContext): Promise<Outcome> {
  const folder = await attempt('folder', async () => findPlace(context));
  const place = folder.found ?? null;
  const address =
    folder.failed === undefined
      ? await attempt('address', async () => place?.baseUrl ?? givenBaseUrl(context))
      : { failed: skipped('address') };
  const service = await askService(context, address.found ?? null, place);
  const checks: Check[] = [
    folder.failed ?? folderCheck(context, place),
    proxyCheck(context),
    address.failed ?? service.failed ?? ok('address', `${address.found} answers`),
    versionCheck(context.release.version, service.found ?? null),
    clockCheck(service.found?.date ?? null),
    browserCheck(service.found ?? null),
    await credentialCheck(context, place, service.found !== undefined),
  ];
  const runtime =
    process.versions['bun'] === undefined
      ? `Node ${process.versions.node}`
      : `Bun ${process.versions['bun']}`;
  const failed = checks.filter(({ result }) => result === 'failed');
  const next = [...failed, ...checks].find((each) => each.next)?.next;
  return {
    data: {
      version: context.release.version,
      runtime,
      checks: checks.map((each) => ({ ...each, next: each.next ? context.line(each.next) : null })),
    },
    blocks: [
      table(
        ['check', 'result', 'detail'],
        checks.map(({ check, result, detail }) => [check, result, detail]),
      ),
    ],
    exit: failed.length > 0 ? 'check' : 'ok',
    ...(next ? { next } : {}),
  };
}

interface Attempted<Found> {
  readonly found?: Found;
  readonly failed?: Check;
}

async function attempt<Found>(check: string, work: () => Promise<Found>): Promise<Attempted<Found>> {
  try {
    return { found: await work() };
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.exit === 'interrupted') throw error;
    const isHere = error.next?.[1] === 'doctor';
    return { failed: { check, result: 'failed', detail: error.message, next: isHere ? null : error.next } };
  }
}

/** The place where the tool knows a workspace from. */
interface Place {
  readonly baseUrl: string;
  /** Null until the service has answered. */
  readonly credential: string | null;
  readonly folder: PrivateFolder | null;
  readonly result: Check['result'];
  readonly detail: string;
}

function findPlace(context: CommandContext): Place | null {
  const here = findFolder(context);
  const isIgnored = here === null || isIgnoredByGit(here);
  const found = readProject(context);
  if (found !== null) {
    const { folder, file } = found;
    const { baseUrl, workspace } = file;
    return {
      baseUrl,
      credential: workspace?.credential ?? null,
      folder,
      result: isIgnored ? 'ok' : 'warning',
      detail: isIgnored
        ? `${folder.path} belongs to its user only`
        : `git did not leave ${folder.path} out, and does again; look for it in earlier copies of the project`,
    };
  }
  const named = workspaceOfEnvironment(context);
  const detail = 'not needed: the environment names the workspace';
  return named && { ...named, folder: null, result: 'ok', detail };
}

function folderCheck({ directory }: CommandContext, place: Place | null): Check {
  if (place !== null) return { check: 'folder', result: place.result, detail: place.detail };
  return {
    check: 'folder',
    result: 'warning',
    detail: `${directory} has no workspace`,
    next: ['svc', 'help', 'workspace', 'create'],
  };
}

type Capabilities = Dated<z.infer<typeof capabilitiesSchema>>;

async function askService(
  context: CommandContext,
  baseUrl: string | null,
  place: Place | null,
): Promise<Attempted<Capabilities>> {
  if (baseUrl === null) return {};
  const client = clientOf(context, { baseUrl, credential: null, next: ['svc', 'doctor'] });
  const asked = await attempt('address', async () =>
    client.askDated({ method: 'GET', path: '/v1/agent/capabilities', answer: capabilitiesSchema }),
  );
  if (asked.failed === undefined) return asked;
  const isReplaceable = place === null || place.credential === null;
  const help = isReplaceable
    ? 'If the address is wrong, give workspace create another --base-url.'
    : 'Check the network of this machine, and ask again later.';
  const next: Next = isReplaceable ? ['svc', 'help', 'workspace', 'create'] : ['svc', 'doctor'];
  return { failed: { ...asked.failed, detail: `${asked.failed.detail} ${help}`, next } };
}

function proxyCheck({ environment, inherited }: CommandContext): Check {
  const names = proxyVariables(environment);
  const unused = unusedProxyVariables(inherited);
  const hint = unused.length === 0 ? '' : `; ${unused.join(', ')} does not count, name it in HTTPS_PROXY`;
  return ok('proxy', `${names.length === 0 ? 'none' : `from ${names.join(', ')}`}${hint}`);
}

function versionCheck(version: string, answer: Capabilities | null): Check {
  if (answer === null) return skipped('version');
  const released = answer.body.downloads
    .filter(({ name }) => name.startsWith('svc-cli-'))
    .map((each) => each.version);
  const detail = `this tool is ${version}, the service offers ${released.join(' and ') || 'none'}`;
  return released.includes(version) ? ok('version', detail) : { check: 'version', result: 'warning', detail };
}

function clockCheck(date: Date | null): Check {
  if (date === null) return skipped('clock');
  const apartMs = Math.abs(Date.now() - date.getTime());
  const detail = `${Math.round(apartMs / 1_000)} s from the clock of the service`;
  return { check: 'clock', result: apartMs > CLOCK_APART_MS ? 'warning' : 'ok', detail };
}

/** Commands of browser checks do nothing where the service has no browser. All others work. */
function browserCheck(answer: Capabilities | null): Check {
  if (answer === null) return skipped('browser');
  const state = answer.body.products.find(({ browser }) => browser !== undefined)?.browser ?? 'unknown';
  if (state === 'ready') return ok('browser', 'the service can run browser checks');
  const detail =
    state === 'missing'
      ? 'the service has no browser at the moment, so browser checks cannot run'
      : 'the service does not say whether it has a browser for checks';
  return { check: 'browser', result: 'warning', detail };
}

async function credentialCheck(
  context: CommandContext,
  place: Place | null,
  isReached: boolean,
): Promise<Check> {
  if (place === null || place.credential === null || !isReached) return skipped('credential');
  const client = clientOf(context, { ...place, next: ['svc', 'doctor'] });
  const asked = await attempt('credential', () => askStatus({ client }));
  if (asked.found === undefined) return asked.failed ?? skipped('credential');
  if (place.folder !== null) removeUsedLink(place.folder, asked.found);
  const { state } = asked.found;
  const detail = `accepted; the workspace is ${state}`;
  if (state === 'paused')
    return {
      check: 'credential',
      result: 'warning',
      detail: `${detail}. An owner resumes it in the console.`,
    };
  if (!hasEnded(asked.found)) return ok('credential', detail);
  return {
    check: 'credential',
    result: 'failed',
    detail: `${detail}. Move .svc away, then create another workspace.`,
    next: place.folder?.moveAway() ?? null,
  };
}

function ok(check: string, detail: string): Check {
  return { check, result: 'ok', detail };
}

function skipped(check: string): Check {
  return { check, result: 'skipped', detail: 'not checked, because an earlier check has no result' };
}
