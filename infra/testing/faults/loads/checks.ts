import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CheckedSite } from '../../checked-site.fixture.ts';
import type { Customer } from '../customer.ts';
import { createWorkspace, granted, type Load, WORKSPACE_ROOTS, type Workspace } from './load.ts';

const SCHEMA_VERSION = '2026-08-24';
const HEADING = 'Home';
const FLOW_MS = 20_000;

const RUN_POLLS_MAX = 240;
const RUN_POLL_MS = 500;
/** A run ends with `errored` if its browser went away. Its customer starts another one. */
const RUNS_MAX = 20;
/** A browser costs a core for a second, so a run is followed by a pause. */
const BETWEEN_MS = 3_000;

interface Origin {
  readonly originId: string;
  readonly challenge: { readonly url: string; readonly content: string };
}

interface Run {
  readonly runId: string;
  readonly status: string;
  readonly endedAt: string | null;
}

/** Agents: a proved origin, a suite of one page, and its runs until one ends with a verdict. */
export function checksLoad(site: CheckedSite): Load {
  site.page('/', `<!doctype html><title>${HEADING}</title><h1>${HEADING}</h1>`);
  return {
    name: 'checks',
    counted: [WORKSPACE_ROOTS],
    async tell(customer) {
      const agent = new CheckingAgent(customer, await createWorkspace(customer, []));
      const suiteId = await agent.createSuite(site);
      let status = 'errored';
      for (let run = 1; run <= RUNS_MAX && status === 'errored'; run += 1)
        status = await agent.check(suiteId);
      if (status !== 'passed') customer.observe('lost', `a run of ${suiteId} ended with ${status}`);
      await pause(BETWEEN_MS);
    },
  };
}

class CheckingAgent {
  readonly #customer: Customer;
  readonly #workspace: Workspace;
  readonly #base: string;

  constructor(customer: Customer, workspace: Workspace) {
    this.#customer = customer;
    this.#workspace = workspace;
    this.#base = `/v1/installations/${workspace.installationId}/svccheck`;
  }

  async createSuite(site: CheckedSite): Promise<string> {
    const { originId, challenge } = await this.#post<Origin>('create origin', '/origins', 201, {
      origin: site.origin,
      verificationMethod: 'well_known_file',
    });
    site.publish(challenge);
    await this.#post('confirm origin', `/origins/${originId}/confirm`, 200, {});
    const steps = [
      { action: 'goto', url: `${site.origin}/` },
      { action: 'expect_heading', text: HEADING },
    ];
    const flows = [{ name: HEADING, steps, timeoutMs: FLOW_MS }];
    const suite = { originId, name: 'Soak', flows };
    return (await this.#post<{ readonly suiteId: string }>('create suite', '/suites', 201, suite)).suiteId;
  }

  /** Runs a suite to its end. Returns the status of the run. */
  async check(suiteId: string): Promise<string> {
    const { runId } = await this.#post<Run>('run suite', '/runs', 202, { suiteId });
    const request = { method: 'GET', path: `${this.#base}/runs/${runId}`, bearer: this.#bearer } as const;
    for (let look = 1; ; look += 1) {
      const { status, endedAt } = await this.#customer.read<Run>(request);
      if (endedAt !== null || look === RUN_POLLS_MAX) return status;
      await pause(RUN_POLL_MS);
    }
  }

  get #bearer(): string {
    return this.#workspace.credential;
  }

  #post<Body>(name: string, path: string, status: number, json: object): Promise<Body> {
    return granted<Body>(this.#customer, {
      name,
      request: {
        method: 'POST',
        path: this.#base + path,
        bearer: this.#bearer,
        json: { schemaVersion: SCHEMA_VERSION, idempotencyKey: randomUUID(), ...json },
      },
      status,
      promises: () => [],
    });
  }
}
