import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ManagedProcess } from '../tools/service-process/managed-process.ts';
import type { Challenge } from './command-line-agent.ts';

const START = fileURLToPath(new URL('../examples/start.ts', import.meta.url));

/** The lines that `npm run example` writes once everything answers. */
const SAID = /^The application: (\S+)\n +(sign in as [^;\n]+)[^\n]*\nThe service: (\S+)\n/m;

/** An application that can be opened. */
export interface Example {
  readonly url: string;
  /** The instruction for signing in, as a part of a sentence. */
  readonly signIn: string;
  /** The ports of the application and of its server, from which its page loads the widgets. */
  readonly ports: readonly string[];
  /** Publishes the proof of the application's origin. */
  readonly publish: (challenge: Challenge) => void;
}

/** `npm run example` beside the demo: a customer's application with a separate server. */
export class ExampleProcess {
  readonly #process = new ManagedProcess();
  readonly #folder = mkdtempSync(join(tmpdir(), 'svc-demo-example-'));

  /**
   * Starts it, and waits until it answers.
   *
   * @throws {Error} with its output, if it ends before
   */
  async start(): Promise<Example> {
    const { PATH, TMPDIR } = process.env;
    const { promise, resolve, reject } = Promise.withResolvers<Example>();
    const child = this.#process.launch([process.execPath, START, '--data', this.#folder], { PATH, TMPDIR });
    child.stdout?.on('data', () => {
      const [, url, signIn, service] = SAID.exec(this.#process.output) ?? [];
      if (url === undefined || signIn === undefined || service === undefined) return;
      const ports = [url, service].map((address) => new URL(address).port);
      resolve({ url, signIn, ports, publish: (challenge) => this.#publish(challenge) });
    });
    child.once('exit', () => reject(new Error(`starting the example:\n${this.#process.output}`)));
    return await promise;
  }

  /** Ends it with its server, if it was started, and removes their data. */
  async stop(): Promise<void> {
    await this.#process.end('SIGTERM');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #publish({ url, content }: Challenge): void {
    const file = join(this.#folder, new URL(url).pathname.replace('/.well-known/', 'well-known/'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
