// Runs in each runtime as a separate process: uses the built library against the real service behind disturbing proxies. Its arguments are
// the address of the module and the settings as JSON. It prints what it saw as one line of JSON.
import process from 'node:process';
import type * as Client from '../svc-client.ts';

/** Everything that a run needs. */
export interface ScenarioSettings {
  readonly limits: { readonly baseUrl: string; readonly key: string };
  readonly checklist: {
    readonly baseUrl: string;
    readonly credential: string;
    readonly installationId: string;
    readonly checklistId: string;
    readonly cohort: 'test';
  };
  readonly imports: {
    readonly baseUrl: string;
    readonly capability: string;
    readonly workspaceId: string;
    readonly schemaId: string;
  };
  readonly origin: string;
}

const [module = '', settingsText = ''] = process.argv.slice(2);
const client: typeof Client = await import(module);
const { limits, checklist, imports, origin }: ScenarioSettings = JSON.parse(settingsText);

const { check } = client.limiter({ ...limits, onNoAnswer: 'deny', deadlineMs: 20_000 });
const login = { namespace: 'runtimes', identifier: crypto.randomUUID(), limit: 1, window: 60_000 };
const decisions = [await check(login), await check(login), await check(login)];
const hasty = client.limiter({ ...limits, onNoAnswer: 'allow', deadlineMs: 50 });
const late = await hasty.check({ ...login, namespace: 'silent' });

const recorder = client.events(checklist);
const subjectDigest = await client.subjectDigest('secret of the runtimes', login.identifier);
const recorded = await recorder.record({ subjectDigest, eventKey: 'connect' });
await recorder[Symbol.asyncDispose]();
const progress = await client.createProgressSession({ ...checklist, subjectDigest, origin });

let rows = 0;
for await (const batch of client.delivery(imports)) rows += batch.rows.length;
const session = await client.createSession(imports);
const refused = await client
  .createSession({ ...imports, capability: 'svc_capability_wrong' })
  .catch((error: unknown) => error);

const seen = {
  decisions: decisions.map(({ allowed, source }) => `${allowed} ${source}`),
  late: `${late.source} ${late.error?.code}`,
  recorded: recorded.outcome,
  progress: progress.token.slice(0, 13),
  rows,
  session: session.sessionToken.slice(0, 11),
  refused: refused instanceof client.SvcError ? refused.code : String(refused),
};
process.stdout.write(`${JSON.stringify(seen)}\n`);
