import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { ClaimLink, ImportStatus, Schema } from './agent.ts';
import type { Client } from './client.ts';

const execute = promisify(execFile);

/** The newest tool has the commands of imports. */
const TOOL = /^svc-cli-v.+\.js$/;
/** Exit codes after which the output is a result: done, and a check that did not pass. */
const RESULT_CODES: readonly unknown[] = [0, 8];

interface Downloads {
  readonly downloads: readonly { readonly name: string; readonly url: string; readonly sha256: string }[];
}

/** The workspace as the tool shows it: without its secrets. */
export interface ShownWorkspace {
  readonly workspaceId: string;
  readonly installationId: string;
  readonly plan: string;
  readonly expiresAt: string;
  readonly limits: {
    readonly svcimport: { readonly imports: { readonly limit: number; readonly used: number } };
  };
}

/** The proof of an origin: a text, and the address at which to publish it. */
export interface Challenge {
  readonly url: string;
  readonly content: string;
}

/** Why the tool refused a command, as it prints that. */
const refusalSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** A refusal of the tool: its code and its sentence. */
export class ToolRefusal extends Error {
  readonly code: string;

  constructor({ code, message }: z.infer<typeof refusalSchema>['error']) {
    super(message);
    this.code = code;
  }
}

interface Origin {
  readonly originId: string;
  readonly state: string;
  readonly challenge: Challenge;
}

interface Step {
  readonly action: string;
  readonly durationMs: number;
  readonly message: string;
}

/** A run of a suite that has ended. */
export interface EndedRun {
  readonly status: string;
  readonly verified: boolean;
  readonly failure: { readonly reason: string; readonly message: string } | null;
  readonly flows: readonly { readonly durationMs: number; readonly steps: readonly Step[] }[];
}

/**
 * A coding agent that knows the base address only. It works with the command-line tool that it downloads from there, so it
 * never has a credential, and sees counts, never rows.
 */
export class CommandLineAgent {
  readonly tool: { readonly name: string; readonly sha256: string };
  readonly #directory: string;
  readonly #base: string;

  private constructor(directory: string, base: string, tool: CommandLineAgent['tool']) {
    this.#directory = directory;
    this.#base = base;
    this.tool = tool;
  }

  /**
   * Makes a project directory and downloads the tool into it.
   *
   * @throws {Error} if the bytes have another digest than the service lists
   */
  static async download(client: Client): Promise<CommandLineAgent> {
    const { downloads } = await client.send<Downloads>('GET', '/downloads/', 200);
    const tool = downloads.findLast(({ name }) => TOOL.test(name));
    if (tool === undefined) throw new Error('finding the command-line tool among the downloads');
    const bytes = Buffer.from(await (await fetch(tool.url)).arrayBuffer());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== tool.sha256) throw new Error(`checking ${tool.name}: its SHA-256 is ${sha256}`);
    const directory = mkdtempSync(join(tmpdir(), 'svc-demo-agent-'));
    writeFileSync(join(directory, tool.name), bytes);
    return new CommandLineAgent(directory, client.base, { name: tool.name, sha256 });
  }

  /** Creates a preview workspace with both opt-in products. It takes no sign-up. */
  createWorkspace(name: string): Promise<ShownWorkspace> {
    const products = ['--products', 'svcimport,svcactivate'];
    return this.#run(
      'workspace',
      'create',
      '--name',
      name,
      '--cohort',
      'dogfood',
      ...products,
      '--base-url',
      this.#base,
    );
  }

  workspace(): Promise<ShownWorkspace> {
    return this.#run('workspace', 'status');
  }

  /** Configures a schema from a JSON file. */
  configureSchema(file: string): Promise<Schema> {
    return this.#run('import', 'configure', '--config', file);
  }

  /** Uploads a CSV file. The same file is the same import again. */
  upload(
    { schemaId, revision }: Schema,
    file: string,
  ): Promise<{ readonly importId: string; readonly byteLength: number; readonly sha256: string }> {
    return this.#run(
      'import',
      'upload',
      '--schema',
      schemaId,
      '--revision',
      String(revision),
      '--file',
      file,
      // One file has rows of another length than its header, so that the owner sees them in the console.
      '--allow-invalid',
    );
  }

  /** Maps the columns of an import by a JSON file. */
  async map(importId: string, file: string): Promise<void> {
    await this.#run('import', 'map', '--import', importId, '--mapping', file);
  }

  /** Validates an import, and waits for the end. */
  validate(importId: string): Promise<ImportStatus> {
    return this.#run('import', 'validate', '--import', importId, '--wait');
  }

  /** The digest of what was validated, which an approval has to name; null until every row is valid. */
  binding(importId: string): Promise<{ readonly validationDigest: string | null }> {
    return this.#run('import', 'binding', '--import', importId);
  }

  /** Creates a checklist from a JSON file. */
  createChecklist(file: string): Promise<{ readonly checklistId: string }> {
    return this.#run('activate', 'create', '--configuration', file);
  }

  /** Names an origin for browser checks. */
  nameOrigin(origin: string): Promise<Origin> {
    return this.#run('check', 'origin', '--origin', origin);
  }

  /** Proves an origin whose challenge is published. */
  confirmOrigin(originId: string): Promise<Origin> {
    return this.#run('check', 'confirm', '--origin-id', originId);
  }

  /** Creates a suite of one page, which has to show a heading. Returns its id. */
  async createSuite(originId: string, url: string, heading: string): Promise<string> {
    const page = ['--url', url, '--heading', heading];
    const { suiteId } = await this.#run<{ readonly suiteId: string }>(
      ...['check', 'create', '--origin-id', originId],
      ...page,
    );
    return suiteId;
  }

  /** Runs a suite, and waits for the end. */
  runSuite(suiteId: string): Promise<EndedRun> {
    return this.#run('check', 'run', '--suite', suiteId, '--idempotency-key', 'demo', '--wait');
  }

  /**
   * Opens a claim link for the human who shall own the workspace. The tool prints no link, but a file that leads the human's
   * browser to it.
   */
  async claimLink(): Promise<ClaimLink> {
    const { file, confirmCode } = await this.#run<{ readonly file: string; readonly confirmCode: string }>(
      ...['workspace', 'claim', '--print-path'],
    );
    const [, claimUrl = ''] = /href="([^"]+)"/.exec(readFileSync(file, 'utf8')) ?? [];
    return { claimUrl, confirmCode };
  }

  /** Removes the project directory. */
  dispose(): void {
    rmSync(this.#directory, { recursive: true });
  }

  /** Runs a command in the project directory, and returns the JSON that it prints. */
  async #run<Output>(...words: readonly string[]): Promise<Output> {
    const env = { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: join(this.#directory, 'configuration') };
    const options = { cwd: this.#directory, env };
    const program = [join(this.#directory, this.tool.name), ...words, '--json'];
    const { stdout } = await execute(process.execPath, program, options).catch((error: unknown) => {
      const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
      if (RESULT_CODES.includes(code)) return error as { readonly stdout: string };
      throw (
        refusalIn(stderr) ??
        new Error(`running svc ${words.slice(0, 2).join(' ')}: ${stderr ?? String(error)}`)
      );
    });
    return JSON.parse(stdout) as Output;
  }
}

/** Returns the refusal that the tool printed, or null where it printed something else. */
function refusalIn(printed = ''): ToolRefusal | null {
  try {
    return new ToolRefusal(refusalSchema.parse(JSON.parse(printed)).error);
  } catch {
    return null;
  }
}
