import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ImportStatus, Schema } from './agent.ts';
import { Backend, type Batch } from './backend.ts';
import { recomputeBatchId } from './batch-identity.ts';
import { CommandLineAgent, type ShownWorkspace } from './command-line-agent.ts';
import { FAULTS } from './data/faults.ts';
import { type Configuration, dataFile, readDataJson } from './files.ts';
import { type Account, type Owner, type RowError, setUpConsole } from './owner.ts';
import type { Stage } from './stage.ts';
import { checkPage } from './story-check.ts';
import { showProgress } from './story-checklist.ts';
import { limitCalls } from './story-limits.ts';
import { importOnPage } from './story-page.ts';

/** The agent's side of the story, as far as it has come. */
interface Project {
  readonly agent: CommandLineAgent;
  readonly workspace: ShownWorkspace;
  readonly workspaceId: string;
  readonly schema: Schema;
  readonly configuration: Configuration;
}

/** A row of the large file whose delivered values are known in full: `data/row-21.json`. */
const SAMPLE_ROW = 21;

/**
 * One file all the way, from the upload of an agent with the command-line tool to the acknowledgment of the customer's backend; then a file with errors and
 * its correction; the workspace, claimed for what it has shown to work; a user's own import on the customer's page; the
 * user's first steps, reported and shown; calls to the customer's backend, limited and metered; and the page of an application,
 * checked in a real browser.
 * Checks what it is told at every step. Returns the account of the owner, who finds all of it in the console.
 *
 * @throws {StepError} for the first step that does not go as it has to
 */
export async function playStory(stage: Stage): Promise<Account> {
  const account = { email: 'owner@observatory.example', password: randomUUID() };
  const agent = await stage.screen.step('agent', 'downloads the tool', async () => {
    const downloaded = await CommandLineAgent.download(stage.client);
    const { name, sha256 } = downloaded.tool;
    return [`${name}, SHA-256 ${short(sha256)}`, downloaded];
  });
  try {
    await playWith(stage, agent, account);
  } finally {
    agent.dispose();
  }
  return account;
}

async function playWith(stage: Stage, agent: CommandLineAgent, account: Account): Promise<void> {
  const project = await beginProject(stage, agent);
  const importId = await importFile(stage, project, {
    action: 'uploads earthquakes.csv',
    file: 'earthquakes.csv',
    expected: 'ready',
  });
  const owner = await findOwner(stage, project, account);
  await approve(stage, project, owner, importId);
  const backend = await deliver(stage, project, owner, importId);
  await correct(stage, project, owner);
  await claim(stage, project, owner, importId);
  await importOnPage(stage, backend);
  await showProgress(stage, project, owner);
  await limitCalls(stage, owner);
  await checkPage(stage, agent);
}

async function beginProject({ screen }: Stage, agent: CommandLineAgent): Promise<Project> {
  const workspace = await screen.step('agent', 'creates a workspace', async () => {
    const created = await agent.createWorkspace('Earthquake catalogue');
    return [`a preview until ${minuteOf(created.expiresAt)}`, created];
  });
  const configuration = readDataJson<Configuration>('schema.json');
  const schema = await screen.step('agent', 'configures a schema', async () => {
    const { fields } = configuration.schema;
    const types = new Set(fields.map(({ type }) => type)).size;
    const configured = await agent.configureSchema(dataFile('schema.json'));
    return [`revision ${configured.revision}: ${fields.length} fields of ${types} types`, configured];
  });
  return { agent, workspace, workspaceId: workspace.workspaceId, schema, configuration };
}

interface Upload {
  readonly action: string;
  /** Its name in `data/`. */
  readonly file: string;
  /** The expected result of the validation. */
  readonly expected: 'ready' | 'needs_correction';
}

/** Uploads, maps and validates a file. Returns the import's id. */
async function importFile(
  { screen }: Stage,
  { agent, schema }: Project,
  { action, file, expected }: Upload,
): Promise<string> {
  const importId = await screen.step('agent', action, async () => {
    const uploaded = await agent.upload(schema, dataFile(file));
    const { byteLength, sha256 } = uploaded;
    return [`${byteLength.toLocaleString('en')} bytes, SHA-256 ${short(sha256)}`, uploaded.importId];
  });
  await screen.step('agent', 'maps its columns', async () => {
    const mapping = readDataJson<{ readonly columns: readonly unknown[] }>('mapping.json');
    await agent.map(importId, dataFile('mapping.json'));
    return [`${mapping.columns.length} columns`, undefined];
  });
  return await screen.step('agent', 'validates', async () => {
    const status = await agent.validate(importId);
    check(status.status === expected, `the import is ${status.status} instead of ${expected}`);
    const { total, valid, invalid, blank } = status.rows;
    check(total === valid + invalid + blank, 'the counts of rows do not add up');
    return [summaryOf(status), importId];
  });
}

async function findOwner(
  { client, screen, setUpLink }: Stage,
  { agent }: Project,
  account: Account,
): Promise<Owner> {
  const owner = await screen.step('owner', 'opens the console', async () => {
    const organization = 'Observatory';
    return [
      `as the first owner of ${organization}`,
      await setUpConsole(client, setUpLink, { organization, ...account }),
    ];
  });
  await screen.step('owner', 'attaches the workspace', async () => {
    const link = await agent.claimLink();
    const { workspaceId, name } = await owner.inspect(link);
    const attached = await owner.attach(link);
    check(attached.workspaceId === workspaceId, 'another workspace was attached than the link showed');
    return [`${name}, by link and confirm code`, undefined];
  });
  return owner;
}

async function approve({ screen }: Stage, project: Project, owner: Owner, importId: string): Promise<void> {
  const { agent, workspaceId } = project;
  await screen.step('owner', 'views the rows', async () => {
    const rows = await owner.previewRows(workspaceId, importId);
    const sample = rows.find(({ row }) => row === SAMPLE_ROW);
    checkSample(sample?.values);
    return [`row ${SAMPLE_ROW} has every zero, quote, line and digit`, undefined];
  });
  await screen.step('owner', 'approves exactly this result', async () => {
    const { validationDigest } = await agent.binding(importId);
    check(validationDigest !== null, 'the import has no digest to approve');
    const { status } = await owner.approve(workspaceId, importId, validationDigest);
    check(status === 'approved', `the import is ${status}`);
    return [`digest ${short(validationDigest)}`, undefined];
  });
}

async function deliver(
  { client, screen }: Stage,
  project: Project,
  owner: Owner,
  importId: string,
): Promise<Backend> {
  const { workspaceId, configuration, schema } = project;
  const [origin] = configuration.allowedOrigins;
  const backend = await screen.step('owner', 'creates a capability', async () => {
    const { schemaId } = schema;
    const wanted = { workspaceId, schemaId, origin, delegateApproval: true };
    const capability = await owner.createCapability(randomUUID(), wanted);
    return [`for ${origin}`, new Backend(client, { workspaceId, schemaId, capability })];
  });
  const batches = await screen.step('backend', 'pulls every batch', () => pull(backend, importId));
  await screen.step('backend', 'recomputes a batch id', async () => {
    const batch = batches.at(-1);
    const keys = configuration.schema.fields.map(({ key }) => key);
    check(batch !== undefined && recomputeBatchId(batch, keys) === batch.batchId, 'the batch has another id');
    return [`${short(batch.batchId)}, from its ${batch.rows.length} rows alone`, undefined];
  });
  await screen.step('backend', 'acknowledges each', async () => {
    let remaining = batches.length;
    for (const batch of batches) remaining = (await backend.acknowledge(importId, batch)).remainingBatches;
    check(remaining === 0, `${remaining} batches remain after all were acknowledged`);
    const status = await backend.status(importId);
    check(status === 'delivered', `the import is ${status}`);
    return [`the import is ${status}`, undefined];
  });
  return backend;
}

async function pull(backend: Backend, importId: string): Promise<readonly [string, readonly Batch[]]> {
  const listed = await backend.deliverable();
  check(
    listed.some((entry) => entry.importId === importId),
    'the approved import is not in the list of deliverable ones',
  );
  const batches: Batch[] = [];
  for await (const batch of backend.batches(importId)) batches.push(batch);
  const rows = batches.flatMap((batch) => batch.rows);
  check(
    rows.every(({ row }, index) => row === index + 1),
    'the rows are not numbered without a gap',
  );
  checkSample(rows[SAMPLE_ROW - 1]?.values);
  return [`${rows.length} rows in ${batches.length} batches`, batches];
}

/** A file with errors: what is wrong with it, and that the corrected file is ready. */
async function correct(stage: Stage, project: Project, owner: Owner): Promise<void> {
  const { screen } = stage;
  const faulty = await importFile(stage, project, {
    action: 'uploads a file with errors',
    file: 'earthquakes-faulty.csv',
    expected: 'needs_correction',
  });
  const errors = await screen.step('owner', 'reads the errors', async () => {
    const found = await owner.rowErrors(project.workspaceId, faulty);
    check(
      isDeepStrictEqual(found.map(whereAndWhat), expectedErrors()),
      'the errors are not those of the file',
    );
    return [`${found.length} errors, each where it was put`, found];
  });
  const cells = errors.map(({ row, line, column, code, message }) => [
    String(row),
    String(line),
    column ?? '(record)',
    code,
    message,
  ]);
  screen.table(['row', 'line', 'column', 'code', 'what is allowed'], cells);
  await importFile(stage, project, {
    action: 'uploads the corrected file',
    file: 'earthquakes-corrected.csv',
    expected: 'ready',
  });
}

/** The preview moves to the Free plan, with the first import as the result that the service has verified itself. */
async function claim(
  { screen }: Stage,
  { agent, workspaceId }: Project,
  owner: Owner,
  importId: string,
): Promise<void> {
  await screen.step('owner', 'looks for a verified result', async () => {
    const { results } = await owner.workspace(workspaceId);
    const result = results.find(({ id }) => id === importId);
    check(result?.kind === 'import', 'the import is not among the verified results');
    return [`the import that reached ready, ${short(importId)}`, undefined];
  });
  await screen.step('owner', 'claims the workspace with it', async () => {
    const { state, plan, expiresAt } = await owner.claim(workspaceId);
    check(
      state === 'active' && plan === 'free' && expiresAt === null,
      `the workspace is ${state} on ${plan}`,
    );
    return [`${state} on Free, without an end`, undefined];
  });
  await screen.step('agent', 'reads its new limits', async () => {
    const { plan, limits } = await agent.workspace();
    const { used, limit } = limits.svcimport.imports;
    check(plan === 'free' && used < limit, 'the limits are still those of the preview');
    return [`${used} of ${limit} imports of this month are used`, undefined];
  });
}

function whereAndWhat({ row, column, code }: RowError) {
  return { row, column, code };
}

function expectedErrors() {
  return FAULTS.map(({ row, cell, code }) => ({ row, column: cell?.target ?? null, code }));
}

function checkSample(values: unknown): void {
  const expected = readDataJson(`row-${SAMPLE_ROW}.json`);
  check(isDeepStrictEqual(values, expected), `row ${SAMPLE_ROW} has other values than the file`);
}

function summaryOf({ status, rows, batchCount }: ImportStatus): string {
  const batches = batchCount === 0 ? '' : ` in ${batchCount} ${batchCount === 1 ? 'batch' : 'batches'}`;
  return `${status}: ${rows.valid} of ${rows.total} rows valid${batches}`;
}

function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

function short(digest: string): string {
  return `${digest.slice(0, 12)}…`;
}

/** An ISO time to the minute. */
function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
