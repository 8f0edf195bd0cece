import { execFileSync } from 'node:child_process';
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Server as HttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { FlowStep } from '../../../schemas/checks/configuration.ts';
import type { RunFindings } from '../../../schemas/checks/results.ts';
import { EgressGuard } from '../egress/guard.ts';
import { CheckRunner, type CheckRunnerOptions } from './check-runner.ts';
import { findProgram, type RunnerSettings } from './program.ts';

/** Stands for a server on the internet: connections to it go to the site of the test. */
export const PUBLIC_ADDRESS = '93.184.215.14';
export const SITE = 'http://site.example';

/** The settings of a browser on this machine. */
export const RUNNER_SETTINGS: RunnerSettings = {
  chromium: null,
  sandbox: true,
  browsers: 1,
};

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };
const PARTY = { workspace: 'ins_a', creator: null, isPreview: false };

type Server = HttpServer | HttpsServer | Http2SecureServer;
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The way in which runs of tests name themselves. */
export const CLIENT = { runId: 'run_a', name: 'SvcCheck/1 (+https://svc.example/docs/browser-checks)' };

/** A guard that notes what it is asked for. */
class NotingGuard extends EgressGuard {
  /** Host and port of every connection that was asked for. */
  readonly asked: { readonly host: string; readonly port: number }[] = [];

  override open(host: string, port: number) {
    this.asked.push({ host, port });
    return super.open(host, port);
  }
}

/** A site on the internet of the test: one server behind every public address. */
export class HostileSite {
  readonly pages = new Map<string, Answer>();
  /** Addresses of names besides `site.example`; a list of lists answers one after the other. */
  readonly names = new Map<string, readonly (readonly string[])[]>();
  /** Host and port of every connection that was dialled. */
  readonly dialled: string[] = [];
  /** Admits the port of the site on this machine, as for a local project. */
  readonly guard: NotingGuard;
  /** Answers what no page does. */
  otherwise: Answer = (_request, response) => response.writeHead(404).end();
  readonly #server: Server;
  readonly #questions = new Map<string, number>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      (this.pages.get(request.url ?? '') ?? this.otherwise)(request, response);
    });
    this.guard = new NotingGuard({
      resolver: { resolve: async (host) => this.#resolve(host) },
      loopbackPorts: [this.port],
      ownHosts: ['api.own.example'],
      dial: (address, port) => {
        this.dialled.push(`${address}:${port}`);
        const isSite = address === PUBLIC_ADDRESS;
        return connect({ host: isSite ? '127.0.0.1' : address, port: isSite ? this.port : port });
      },
    });
  }

  /** Starts a site, by default without TLS. */
  static async start(server: Server = createServer()): Promise<HostileSite> {
    await listen(server);
    return new HostileSite(server);
  }

  /** The site as a local project: an origin that browsers trust like one with TLS. */
  get loopbackOrigin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  html(path: string, html: string): void {
    this.pages.set(path, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html);
    });
  }

  async close(): Promise<void> {
    await close(this.#server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #resolve(host: string): readonly string[] {
    const answers = this.names.get(host);
    if (answers === undefined) return host.endsWith('.example') ? [PUBLIC_ADDRESS] : [];
    const asked = this.#questions.get(host) ?? 0;
    this.#questions.set(host, asked + 1);
    return answers[Math.min(asked, answers.length - 1)] ?? [];
  }
}

interface RunOptions {
  /** The steps after the page is opened. */
  readonly steps?: readonly FlowStep[];
  readonly timeoutMs?: number;
  readonly origin?: string;
  /** Called once a browser is free. */
  readonly onBegin?: () => void;
}

/** Runs one flow of a page, with a heading unless a test says otherwise. */
export class HostileRuns {
  readonly runner: CheckRunner;
  readonly #stopping = new AbortController();

  constructor(site: HostileSite, options: Partial<CheckRunnerOptions> = {}) {
    this.runner = new CheckRunner({
      program: findProgram(RUNNER_SETTINGS),
      guard: site.guard,
      browsers: 1,
      logger: SILENT,
      isAlone: true,
      ...options,
    });
  }

  async run(
    path: string,
    {
      steps = [{ action: 'expect_heading', text: 'Done' }],
      timeoutMs = 60_000,
      origin = SITE,
      onBegin = () => {},
    }: RunOptions = {},
  ): Promise<RunFindings> {
    const all: FlowStep[] = [{ action: 'goto', url: `${origin}${path}` }, ...steps];
    const plan = { origin, flows: [{ name: 'Page', steps: all, timeoutMs }], client: CLIENT };
    const begin = async () => {
      onBegin();
      return plan;
    };
    const driven = await this.runner.run(PARTY, begin, {
      stopping: this.#stopping.signal,
      leaving: new AbortController().signal,
    });
    if (driven === null) throw new Error('running without a plan');
    return driven.findings;
  }

  /** Ends what is under way, as the end of the process does. */
  stop(): void {
    this.#stopping.abort();
  }

  close(): Promise<void> {
    return this.runner.close();
  }
}

/** Kills the browsers of this process. */
export function killBrowsers(): void {
  for (const pid of browserIds()) process.kill(pid, 'SIGKILL');
}

/** The process ids of the browsers and rooms of this process, or of those whose command line has a word, but of none that waits for a room. */
export function browserIds(word = ''): readonly number[] {
  const processes = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return processes
    .filter(
      (line) =>
        line.includes(`svc-runner-${process.pid}-`) && !/ unshare |--type=/.test(line) && line.includes(word),
    )
    .map((line) => Number.parseInt(line, 10));
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function close(server: Server): Promise<void> {
  if ('closeAllConnections' in server) server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
