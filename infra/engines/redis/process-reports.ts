import type { Redis } from 'ioredis';
import { HOUR_MS } from '../../../schemas/base/time.ts';
import { type ProcessReport, processReportSchema } from '../../../schemas/operations/process-report.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { PROCESSES_MAX, type ProcessReports } from '../../../topics/ports/process-reports.ts';
import { ask, connect, placed, type RedisSettings } from './connection.ts';

const ENGINE = 'process reports';

/** Lifetime of the set of names after the latest report: longer than that of a report. */
const NAMES_LIFETIME_MS = 2 * HOUR_MS;

/**
 * Reports of any number of processes on one Redis server: a key for each report, which expires with it, and a set that names the
 * processes by the time of their latest report.
 */
export class RedisProcessReports implements ProcessReports {
  readonly #client: Redis;
  readonly #prefix: string;

  private constructor(client: Redis, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  static async open(settings: RedisSettings): Promise<RedisProcessReports> {
    return new RedisProcessReports(await connect(settings), settings.prefix);
  }

  async publish(report: ProcessReport, lifetimeMs: number): Promise<void> {
    const { processId, at } = report;
    const answers = await ask(this.#client, ENGINE, () =>
      this.#client
        .multi()
        .set(this.#key(processId), JSON.stringify(report), 'PX', lifetimeMs)
        .zadd(this.#names, at, processId)
        .zremrangebyrank(this.#names, 0, -PROCESSES_MAX - 1)
        .pexpire(this.#names, NAMES_LIFETIME_MS)
        .exec(),
    );
    const failed = answers?.find(([error]) => error !== null);
    if (failed !== undefined)
      throw new EngineUnavailableError(placed(ENGINE, this.#client), { cause: failed[0] });
  }

  async list(): Promise<readonly ProcessReport[]> {
    const texts = await ask(this.#client, ENGINE, async () => {
      const names = await this.#client.zrevrange(this.#names, 0, -1);
      return names.length === 0 ? [] : await this.#client.mget(names.map((name) => this.#key(name)));
    });
    return texts.flatMap((text) => {
      const report = text === null ? null : processReportSchema.safeParse(JSON.parse(text));
      return report?.data === undefined ? [] : [report.data];
    });
  }

  async close(): Promise<void> {
    this.#client.disconnect();
  }

  #key(processId: string): string {
    return `${this.#prefix}process:${processId}`;
  }

  get #names(): string {
    return `${this.#prefix}processes`;
  }
}
