import { createHash } from 'node:crypto';
import { type CallToolResult, Client, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { connectMcp } from '../../infra/testing/e2e/workspaces/mcp-client.fixture.ts';
import { TOOLS } from '../../schemas/mcp/tools.ts';
import { bundleOf, ProjectDirectory, RUNTIMES } from '../testing/bundles.fixture.ts';
import { type Decision, DisturbingProxy } from '../testing/proxy.fixture.ts';

const VERSION = '0.4.0';
const [, runtime] = RUNTIMES;
const FILE = 'Name\nAda\n';

const UNKNOWN =
  'It is not known whether the call took effect. The same call with the same arguments finds out.';

type Arguments = Readonly<Record<string, unknown>>;

interface Workspace {
  readonly installationId: string;
  readonly credential: string;
}

/** The import and the schema that the calls before have made. */
const made = { schemaId: '', importId: '' };

interface Call {
  /** The member of the result by which two acts differ. */
  readonly differs: string;
  readonly given: () => Promise<Arguments>;
}

/** The calls that change something, in the order in which an agent makes them. */
const CALLS: Readonly<Record<string, Call>> = {
  configure_schema: {
    differs: 'schemaId',
    given: async () => ({
      idempotencyKey: 'configure',
      configuration: {
        name: 'People',
        allowedOrigins: ['https://app.example.com'],
        schema: {
          version: 'svcimport.schema.v1',
          revision: 1,
          fields: [{ key: 'name', type: 'text', required: true, maxLength: 40 }],
        },
      },
    }),
  },
  submit_mapping: {
    differs: 'mappingRevision',
    given: async () => {
      await upload();
      const columns = [{ source: 'Name', target: 'name' }];
      return { importId: made.importId, revision: 1, columns };
    },
  },
  queue_validation: {
    differs: 'validations',
    given: async () => ({ importId: made.importId, idempotencyKey: 'validate' }),
  },
};

let service: ServiceInProcess;
let proxy: DisturbingProxy;
let project: ProjectDirectory;
let workspace: Workspace;
let client: Client;
beforeAll(async () => {
  service = await ServiceInProcess.start();
  proxy = await DisturbingProxy.start(service.url);
  project = new ProjectDirectory(runtime, VERSION);
  const create = ['workspace', 'create', '--name', 'Tools', '--products', 'svcimport'];
  await project.json([...create, '--base-url', proxy.url]);
  project.rewrite((stored) => {
    workspace = stored.workspace as Workspace;
    return stored;
  });
  client = await connected(
    new StdioClientTransport({
      command: runtime.program,
      args: [bundleOf(VERSION), 'mcp'],
      cwd: project.path,
      env: { PATH: process.env['PATH'] ?? '', HOME: project.home },
      stderr: 'pipe',
    }),
  );
});
afterAll(async () => {
  await client?.close();
  project?.dispose();
  await proxy?.close();
  await service?.dispose();
});

async function connected(transport: Transport): Promise<Client> {
  const opened = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await opened.connect(transport);
  return opened;
}

/** Sends the file of the import as the command-line tool does. */
async function upload(): Promise<void> {
  const bytes = Buffer.from(FILE);
  const base = `${service.url}/v1/installations/${workspace.installationId}/svcimport`;
  const reserved = await fetch(`${base}/schemas/${made.schemaId}/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workspace.credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      version: 'svcimport.upload.v1',
      idempotencyKey: 'upload',
      revision: 1,
      byteLength: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }),
  });
  const { importId, uploadUrl, uploadToken } = await reserved.json();
  made.importId = importId;
  const headers = { authorization: `Bearer ${uploadToken}`, 'content-type': 'text/csv' };
  expect((await fetch(uploadUrl, { method: 'PUT', headers, body: bytes })).status).toBe(200);
}

/** Disturbs a number of answers to calls of a tool. */
function disturb(decision: Decision, times: number): void {
  proxy.reset();
  let disturbed = 0;
  proxy.decide = ({ path, body }) => {
    if (path !== '/mcp' || !body.includes('tools/call') || disturbed === times) return 'forward';
    disturbed += 1;
    return decision;
  };
}

/** A member of the result of a call. */
function memberOf({ structuredContent }: CallToolResult, member: string): unknown {
  return Object(structuredContent)[member];
}

/** The result that the service gave to the first call. */
function firstResult(): CallToolResult {
  return JSON.parse(proxy.lost[0]?.body ?? '').result;
}

describe('a call of a tool whose answer is lost', () => {
  it('is tried for every tool that changes something', () => {
    const changing = TOOLS.filter(({ hints }) => !hints.readOnlyHint);
    expect(Object.keys(CALLS)).toEqual(changing.map(({ name }) => name));
  });

  it.each(Object.keys(CALLS))('is done once, and the client gets what was done: %s', async (name) => {
    const { differs, given } = CALLS[name] as Call;
    const call = { name, arguments: await given() };
    disturb('lose', Number.POSITIVE_INFINITY);
    const failed = await client.callTool(call).then(
      () => null,
      (error: Error) => error,
    );
    expect(failed?.message).toContain(UNKNOWN);
    const first = firstResult();
    expect(first.isError).toBeUndefined();
    // The agent that reads this repeats the call, of which one more answer is lost and one is cut.
    disturb('lose', 1);
    const again = (await client.callTool(call)) as CallToolResult;
    disturb('cut', 1);
    const cut = (await client.callTool(call)) as CallToolResult;
    disturb('lose', 1);
    const direct = await connectMcp(proxy.url, workspace.credential);
    await expect(direct.call(name, call.arguments)).rejects.toThrow();
    const repeated = await direct.call(name, call.arguments);
    await direct.client.close();
    for (const result of [again, cut, repeated]) {
      expect(memberOf(result, differs), JSON.stringify(result)).toEqual(memberOf(first, differs));
    }
    if (name === 'configure_schema') made.schemaId = String(memberOf(first, 'schemaId'));
  });

  it('has left one schema and one validation', async () => {
    proxy.reset();
    const limits = (await client.callTool({ name: 'discover_limits', arguments: {} })) as CallToolResult;
    expect(JSON.stringify(limits.structuredContent)).toContain(made.schemaId);
    const counts = (await client.callTool({
      name: 'read_counts',
      arguments: { importId: made.importId },
    })) as CallToolResult;
    expect(counts.structuredContent).toMatchObject({ mappingRevision: 1, validations: { used: 1 } });
  });
});
