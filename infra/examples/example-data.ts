import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { freePort } from '../tools/service-process/service-process.ts';
import type { AppEnvironment } from './prepare.ts';

const SUBJECT_SECRET_BYTES = 32;

const keptSchema = z.strictObject({
  /** The application's port. Capability and checklist are bound to its origin, so it stays the same. */
  port: z.int(),
  /** The prepared resources, secrets included. */
  environment: z.record(z.string(), z.string()),
});

/** The data that a run of the example keeps for the next one. */
export class ExampleData {
  readonly folder: string;
  readonly #temporary: boolean;

  /** @param folder where to keep it; null: in a temporary folder, which {@link dispose} removes */
  constructor(folder: string | null) {
    this.#temporary = folder === null;
    this.folder = folder === null ? mkdtempSync(join(tmpdir(), 'svc-example-')) : resolve(folder);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  /** The service's own data folder. */
  get serviceFolder(): string {
    return join(this.folder, 'service');
  }

  /** The folder of what the application publishes below `/.well-known/`. */
  get wellKnownFolder(): string {
    return join(this.folder, 'well-known');
  }

  /** The application's port. */
  async port(): Promise<number> {
    return this.#read()?.port ?? (await freePort());
  }

  /** Returns the resources that the first start prepared, or null. */
  environment(): AppEnvironment | null {
    return this.#read()?.environment ?? null;
  }

  /** Keeps what was prepared, with a new secret for the digests of users; only this user of the system may read it. */
  keep(port: number, prepared: AppEnvironment): AppEnvironment {
    const secret = randomBytes(SUBJECT_SECRET_BYTES).toString('hex');
    const environment = { APP_SUBJECT_SECRET: secret, ...prepared };
    writeFileSync(this.#file, JSON.stringify({ port, environment }), { mode: 0o600 });
    return environment;
  }

  /** Removes a temporary folder. */
  dispose(): void {
    if (this.#temporary) rmSync(this.folder, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.folder, 'example.json');
  }

  #read(): z.infer<typeof keptSchema> | null {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    return keptSchema.parse(JSON.parse(text));
  }
}
