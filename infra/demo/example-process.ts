import { fileURLToPath } from 'node:url';
import { ManagedProcess } from '../tools/service-process/managed-process.ts';

const START = fileURLToPath(new URL('../examples/start.ts', import.meta.url));

/** The lines that `npm run example` writes once everything answers. */
const SAID = /^The application: (\S+)\n +(sign in as [^;\n]+)/m;

/** An application that can be opened. */
export interface Example {
  readonly url: string;
  /** The instruction for signing in, as a part of a sentence. */
  readonly signIn: string;
}

/** `npm run example` beside the demo: a customer's application with a separate server. */
export class ExampleProcess {
  readonly #process = new ManagedProcess();

  /**
   * Starts it, and waits until it answers.
   *
   * @throws {Error} with its output, if it ends before
   */
  async start(): Promise<Example> {
    const { PATH, TMPDIR } = process.env;
    const { promise, resolve, reject } = Promise.withResolvers<Example>();
    const child = this.#process.launch([process.execPath, START], { PATH, TMPDIR });
    child.stdout?.on('data', () => {
      const [, url, signIn] = SAID.exec(this.#process.output) ?? [];
      if (url !== undefined && signIn !== undefined) resolve({ url, signIn });
    });
    child.once('exit', () => reject(new Error(`starting the example:\n${this.#process.output}`)));
    return await promise;
  }

  /** Ends it with its server, if it was started. */
  async stop(): Promise<void> {
    await this.#process.end('SIGTERM');
  }
}
