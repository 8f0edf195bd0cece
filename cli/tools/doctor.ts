import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import type { Dated } from '../http/client.ts';
import { proxyVariables } from '../http/proxy.ts';
import { table } from '../output/blocks.ts';
import { clientOf, givenBaseUrl, readProject } from '../project.ts';
import { workspaceOfEnvironment } from '../state/environment-workspace.ts';
import { askStatus } from '../workspace/status.ts';

/** The clock difference from which signatures and times of other tools go wrong. */
const CLOCK_APART_MS = 60_000;

const checkSchema = z.object({
  check: z.string(),
  result: z.enum(['ok', 'warning', 'failed', 'skipped']),
  detail: z.string(),
});

type Check = z.infer<typeof checkSchema>;

/** The output of `doctor`. */
export const doctorOutput = z.object({
  version: z.string().describe('version of this tool'),
  runtime: z.string(),
  checks: z.array(checkSchema),
});

const capabilitiesSchema = z.object({
  downloads: z.array(z.object({ name: z.string(), version: z.string() })),
});

/** Checks everything between this tool and the workspace. */
export async function runDoctor(context: CommandContext): Promise<Outcome> {
  const folder = await attempt('folder', async () => findPlace(context));
  const place = folder.found ?? null;
  const baseUrl = await attempt('base address', async () => place?.baseUrl ?? givenBaseUrl(context));
  const service = await askService(context, baseUrl.found ?? null);
  const checks: Check[] = [
    folder.failed ?? folderCheck(context, place),
    proxyCheck(context),
    baseUrl.failed ?? service.failed ?? ok('address', `${baseUrl.found} answers`),
    versionCheck(context.release.version, service.found ?? null),
    clockCheck(service.found?.date ?? null),
    await credentialCheck(context, place, service.found !== undefined),
  ];
  const runtime =
    process.versions['bun'] === undefined
      ? `Node ${process.versions.node}`
      : `Bun ${process.versions['bun']}`;
  return {
    data: { version: context.release.version, runtime, checks },
    blocks: [
      table(
        ['check', 'result', 'detail'],
        checks.map(({ check, result, detail }) => [check, result, detail]),
      ),
    ],
    exit: checks.some(({ result }) => result === 'failed') ? 'check' : 'ok',
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
    return { failed: { check, result: 'failed', detail: error.message } };
  }
}

type Capabilities = Dated<z.infer<typeof capabilitiesSchema>>;

async function askService(context: CommandContext, baseUrl: string | null): Promise<Attempted<Capabilities>> {
  if (baseUrl === null) return {};
  const client = clientOf(context, { baseUrl, credential: null, next: ['svc', 'doctor'] });
  return await attempt('address', async () =>
    client.askDated({ method: 'GET', path: '/v1/agent/capabilities', answer: capabilitiesSchema }),
  );
}

/** The place where the tool knows a workspace from. */
interface Place {
  readonly baseUrl: string;
  readonly credential: string | null;
  readonly detail: string;
}

function findPlace(context: CommandContext): Place | null {
  const file = readProject(context)?.file;
  if (file !== undefined) {
    const credential = file.workspace?.credential ?? null;
    return { ...file, credential, detail: `${context.directory}/.svc belongs to its user only` };
  }
  const named = workspaceOfEnvironment(context);
  return named && { ...named, detail: 'not needed: the environment names the workspace' };
}

function folderCheck({ directory }: CommandContext, place: Place | null): Check {
  if (place === null) return { check: 'folder', result: 'warning', detail: `${directory} has no workspace` };
  return ok('folder', place.detail);
}

function proxyCheck({ environment }: CommandContext): Check {
  const names = proxyVariables(environment);
  return ok('proxy', names.length === 0 ? 'none' : `from ${names.join(', ')}`);
}

function versionCheck(version: string, answer: Capabilities | null): Check {
  if (answer === null) return skipped('version');
  const released = answer.body.downloads
    .filter(({ name }) => name.startsWith('svc-cli-'))
    .map((each) => each.version);
  if (released.includes(version)) return ok('version', version);
  const detail = `this tool is ${version}, the service offers ${released.join(' and ') || 'none'}`;
  return { check: 'version', result: 'warning', detail };
}

function clockCheck(date: Date | null): Check {
  if (date === null) return skipped('clock');
  const apartMs = Math.abs(Date.now() - date.getTime());
  const detail = `${Math.round(apartMs / 1_000)} s from the clock of the service`;
  return { check: 'clock', result: apartMs > CLOCK_APART_MS ? 'warning' : 'ok', detail };
}

async function credentialCheck(
  context: CommandContext,
  place: Place | null,
  isReached: boolean,
): Promise<Check> {
  if (place === null || place.credential === null || !isReached) return skipped('credential');
  const client = clientOf(context, { ...place, next: ['svc', 'doctor'] });
  const asked = await attempt('credential', () => askStatus({ client }));
  return asked.failed ?? ok('credential', `accepted; the workspace is ${asked.found?.state}`);
}

function ok(check: string, detail: string): Check {
  return { check, result: 'ok', detail };
}

function skipped(check: string): Check {
  return { check, result: 'skipped', detail: 'not checked, because an earlier check has no result' };
}
