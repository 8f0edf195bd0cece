import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ManagedProcess } from '../tools/service-process/managed-process.ts';
import { freePort } from '../tools/service-process/service-process.ts';

/** The rules that every Prometheus of the tests evaluates. */
export const RULES = join(import.meta.dirname, 'alerts.yaml');

const START_MS_MAX = 60_000;

/**
 * True if a test that needs Prometheus and promtool can run. CI runs it anyway, and fails without them; elsewhere one line says what
 * is missing.
 */
export function hasPrometheus(): boolean {
  if (process.env['CI'] !== undefined || ['prometheus', 'promtool'].every(isInstalled)) return true;
  process.stdout.write('Left out: tests of alerts and dashboards: install the package prometheus.\n');
  return false;
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A time series of an answer. */
interface Series {
  readonly metric: Readonly<Record<string, string>>;
}

/** A real Prometheus that reads services and evaluates the rules. */
export class Prometheus {
  readonly #url: string;
  readonly #folder: string;
  readonly #process = new ManagedProcess();

  private constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}`;
    this.#folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  }

  /**
   * @param addresses host and port of the services
   * @param interval of its readings and evaluations, and the longest time of a reading
   */
  static async start(addresses: readonly string[], interval = '1s'): Promise<Prometheus> {
    const prometheus = new Prometheus(await freePort());
    await prometheus.#start(addresses, interval);
    return prometheus;
  }

  async #start(targets: readonly string[], interval: string): Promise<void> {
    const file = join(this.#folder, 'prometheus.yaml');
    const configuration = {
      global: { scrape_interval: interval, evaluation_interval: interval },
      rule_files: [RULES],
      scrape_configs: [{ job_name: 'svc', static_configs: [{ targets }] }],
    };
    writeFileSync(file, stringify(configuration));
    const { host } = new URL(this.#url);
    const options = [`--storage.tsdb.path=${join(this.#folder, 'data')}`, `--web.listen-address=${host}`];
    this.#process.launch(['prometheus', `--config.file=${file}`, ...options], process.env);
    await this.#process.untilReady(`${this.#url}/-/ready`, { name: 'Prometheus', timeoutMs: START_MS_MAX });
  }

  /** Returns the time series of an expression, now. */
  async query(expression: string): Promise<readonly Series[]> {
    const answer = await fetch(`${this.#url}/api/v1/query`, {
      method: 'POST',
      body: new URLSearchParams({ query: expression }),
    });
    const body = (await answer.json()) as { data?: { result: readonly Series[] }; error?: string };
    if (body.data === undefined) throw new Error(`querying ${expression}: ${body.error}`);
    return body.data.result;
  }

  async dispose(): Promise<void> {
    await this.#process.end('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
