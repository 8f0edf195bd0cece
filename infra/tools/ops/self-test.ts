import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { keyedDigest } from '../../../schemas/base/digest.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { isOnCluster } from './engine.ts';
import { unansweredReason, urlIn } from './health.ts';
import type { Given, VerbResult } from './verb.ts';
import { eraseWorkspace } from './workspaces.ts';

const NAME = 'Self-test';
const ORIGIN = 'https://self-test.example';
const CSV = Uint8Array.from(Buffer.from('Code\na-1\na-2\n'));

/** Longest wait for an answer, and for the end of the validation. */
const ANSWER_MS_MAX = 15 * SECOND_MS;
const VALIDATION_MS_MAX = 60 * SECOND_MS;
const POLL_MS = 100;

/** A step that has run, with its time. */
interface Step {
  readonly step: string;
  readonly ms: number;
}

/**
 * Creates a workspace on a running service, reports an event, imports a file, and erases the workspace. Prints each step and its time.
 * On the embedded engine the preview is left to end by itself: a command from here would need the service to stop.
 */
export async function selfTest(given: Given): Promise<VerbResult> {
  const url = urlIn(given);
  const steps: Step[] = [];
  const timed = async <Result>(step: string, run: () => Promise<Result>): Promise<Result> => {
    const begun = performance.now();
    const result = await run();
    const ms = Math.round(performance.now() - begun);
    steps.push({ step, ms });
    given.say(`${step}: ${ms} ms`);
    return result;
  };
  const workspace = await timed('create a workspace', () => createWorkspace(url));
  const { installationId } = workspace;
  const erases = isOnCluster(given);
  const left = `${installationId} stays until it expires. npm run ops -- erase ${installationId} --confirm ${NAME} removes it${erases ? '' : ' once the service is stopped'}.`;
  try {
    await timed('report an event', () => reportEvent(url, workspace));
    await timed('import a file', () => importFile(url, workspace));
    if (erases) {
      const words = { installation: installationId };
      await timed('erase it', () => eraseWorkspace({ ...given, words, options: { confirm: NAME } }));
    }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${left}`, { cause: error });
  }
  return {
    data: { url, installationId, erased: erases, steps: steps.map((step) => ({ ...step })) },
    lines: [...(erases ? [] : [left]), 'Everything held.'],
  };
}

const workspaceSchema = z.object({ installationId: z.string(), credential: z.string() });
type Workspace = z.infer<typeof workspaceSchema>;

async function createWorkspace(url: string): Promise<Workspace> {
  const json = { name: NAME, cohort: 'dogfood', products: ['svcactivate', 'svcimport'] };
  return workspaceSchema.parse(await send('POST', `${url}/v1/agent/workspaces`, { json }));
}

async function reportEvent(url: string, { installationId, credential: bearer }: Workspace): Promise<void> {
  const base = `${url}/v1/installations/${installationId}/svcactivate/checklists`;
  const schemaVersion = '2026-09-07';
  const steps = [{ key: 'first', label: 'First step', description: 'The only one.', actionPath: '/' }];
  const configuration = { name: NAME, allowedOrigins: [ORIGIN], steps };
  const made = await send('POST', base, {
    bearer,
    json: { schemaVersion, idempotencyKey: randomUUID(), configuration },
  });
  const { checklistId } = z.object({ checklistId: z.string() }).parse(made);
  const subjectDigest = keyedDigest('self-test', installationId).toString('hex');
  const event = { subjectDigest, cohort: 'test', eventKey: 'first' };
  const json = { schemaVersion, idempotencyKey: randomUUID(), ...event };
  const reported = await send('POST', `${base}/${checklistId}/events`, { bearer, json });
  z.object({ outcome: z.literal('completed') }).parse(reported);
}

async function importFile(url: string, { installationId, credential: bearer }: Workspace): Promise<void> {
  const base = `${url}/v1/installations/${installationId}/svcimport`;
  const post = (path: string, json: object) => send('POST', `${base}${path}`, { bearer, json });
  const schema = {
    version: 'svcimport.schema.v1',
    revision: 1,
    fields: [{ key: 'code', type: 'text', required: true, maxLength: 20 }],
  };
  const { schemaId } = z.object({ schemaId: z.string() }).parse(
    await post('/schemas', {
      version: 'svcimport.configure.v1',
      idempotencyKey: randomUUID(),
      configuration: { name: NAME, allowedOrigins: [ORIGIN], schema },
    }),
  );
  const reserved = await post(`/schemas/${schemaId}/imports`, {
    version: 'svcimport.upload.v1',
    idempotencyKey: randomUUID(),
    revision: 1,
    byteLength: CSV.length,
    sha256: createHash('sha256').update(CSV).digest('hex'),
  });
  const { importId, uploadToken } = z
    .object({ importId: z.string(), uploadToken: z.string() })
    .parse(reserved);
  await send('PUT', `${url}/v1/import/uploads/${importId}`, { bearer: uploadToken, csv: CSV });
  await post(`/imports/${importId}/mapping`, {
    version: 'svcimport.mapping.v1',
    revision: 1,
    columns: [{ source: 'Code', target: 'code' }],
  });
  await post(`/imports/${importId}/validate`, {
    version: 'svcimport.validate.v1',
    idempotencyKey: randomUUID(),
  });
  const deadline = Date.now() + VALIDATION_MS_MAX;
  for (;;) {
    const read = await send('GET', `${base}/imports/${importId}`, { bearer });
    const { status } = z.object({ status: z.string() }).parse(read);
    if (status === 'ready') return;
    if (status !== 'validating' || Date.now() > deadline)
      throw new Error(`import a file: seen the status ${status}; expected ready`);
    await pause(POLL_MS);
  }
}

interface Parts {
  readonly bearer?: string;
  readonly json?: object;
  readonly csv?: Uint8Array<ArrayBuffer>;
}

/** Sends a request. Throws without an answer, and for any but a success, with the code and the message of the service. */
async function send(method: string, address: string, { bearer, json, csv }: Parts): Promise<unknown> {
  const headers = new Headers({ 'content-type': csv === undefined ? 'application/json' : 'text/csv' });
  if (bearer !== undefined) headers.set('authorization', `Bearer ${bearer}`);
  const body = csv ?? (json === undefined ? null : JSON.stringify(json));
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const answer = await fetch(address, { method, headers, body, signal }).catch((error: unknown) => {
    throw new Error(`${method} ${address}: no answer (${unansweredReason(error)})`);
  });
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(`${method} ${new URL(address).pathname} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}
