import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clusterEnvironment } from '../../../tools/service-process/cluster-environment.ts';
import { nextMessage } from '../child-message.ts';
import type { Answer, Question, Reply, Request, ServiceName } from './protocol.ts';

export const ENGINES = ['embedded', 'cluster'] as const;
export type EngineName = (typeof ENGINES)[number];

const SERVER = fileURLToPath(new URL('server.ts', import.meta.url));

export interface MeasuredOptions {
  readonly engine: EngineName;
  /** The folder for a CPU profile of each question, or null for none. */
  readonly profileFolder?: string | null;
}

/** The process that is measured, on an engine with fresh data. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
  }

  static async start({ engine, profileFolder = null }: MeasuredOptions): Promise<ServerProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    const child = fork(SERVER, {
      env: {
        PATH: process.env['PATH'],
        SVC_DATA_FOLDER: join(folder, 'data'),
        ...(engine === 'cluster' ? clusterEnvironment() : {}),
        ...(profileFolder === null ? {} : { SVC_BENCH_PROFILES: profileFolder }),
      },
      // The process writes its log as a service does, and the log is dropped.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const server = new ServerProcess(child, folder);
    await server.ask({ kind: 'open' });
    return server;
  }

  /** Of the process that is measured. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Asks one question at a time. Rejects when the process ends instead of answering, or says why it cannot. */
  async ask(question: Question, service: ServiceName = 'usual'): Promise<Answer> {
    const received = nextMessage<Reply>(this.#child);
    this.#child.send({ question, service } satisfies Request);
    const reply = await received;
    if ('error' in reply) throw new Error(`measuring ${question.kind}: ${reply.error}`);
    return reply.answer;
  }

  /** Ends the process and removes its data. */
  async close(): Promise<void> {
    try {
      const exit = once(this.#child, 'exit');
      await this.ask({ kind: 'close' });
      await exit;
    } finally {
      this.#child.kill('SIGKILL');
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }
}
