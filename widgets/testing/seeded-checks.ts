import { setTimeout as delay } from 'node:timers/promises';
import type { CheckedSite } from '../../infra/testing/checked-site.fixture.ts';
import type { SeededWorkspace, Seeds } from './seeds.ts';

const schemaVersion = '2026-08-24';

const LOOK_AGAIN_MS = 500;
/** A browser starts slowly on a busy machine. */
const LOOKS_MAX = 240;

interface Origin {
  readonly originId: string;
  readonly challenge: { readonly url: string; readonly content: string };
}

interface Run {
  readonly runId: string;
  readonly status: string;
  readonly endedAt: string | null;
}

/** The agent of a workspace that checks a site of this machine. */
export class CheckingAgent {
  readonly site: CheckedSite;
  readonly #seeds: Seeds;
  readonly #workspace: SeededWorkspace;
  readonly #keys: string;
  #requests = 0;

  /** @param keys what the idempotency keys begin with: each agent of one workspace has its own */
  constructor(seeds: Seeds, workspace: SeededWorkspace, site: CheckedSite, keys = 'seed') {
    this.site = site;
    this.#keys = keys;
    this.#seeds = seeds;
    this.#workspace = workspace;
  }

  /** Names an origin: its challenge waits to be published. */
  async nameOrigin(origin: string): Promise<Origin> {
    const verificationMethod = 'well_known_file';
    return await this.#post<Origin>('/origins', 201, { origin, verificationMethod });
  }

  /** Proves the origin of the site. Returns its id. */
  async prove(): Promise<string> {
    const origin = await this.nameOrigin(this.site.origin);
    this.site.publish(origin.challenge);
    await this.#post(`/origins/${origin.originId}/confirm`, 200, {});
    return origin.originId;
  }

  async createProfile(originId: string, profile: object): Promise<string> {
    const made = await this.#post<{ accessProfileId: string }>('/access-profiles', 201, {
      originId,
      ...profile,
    });
    return made.accessProfileId;
  }

  /** Creates a suite of one flow with these steps. A step that opens a page names its path only. */
  async createSuite(
    originId: string,
    name: string,
    steps: readonly object[],
    more: object = {},
  ): Promise<string> {
    const flows = [{ name: 'Home', steps, timeoutMs: 20_000 }];
    return (await this.#post<{ suiteId: string }>('/suites', 201, { originId, name, flows, ...more }))
      .suiteId;
  }

  /** The steps of a flow that opens a path of the site and looks for a heading. */
  headingAt(path: string, text: string): readonly object[] {
    return [
      { action: 'goto', url: `${this.site.origin}${path}` },
      { action: 'expect_status', status: 200 },
      { action: 'expect_heading', text },
    ];
  }

  /** Requests a run. Returns its id. */
  async request(suiteId: string): Promise<string> {
    return (await this.#post<Run>('/runs', 202, { suiteId })).runId;
  }

  /** Requests a run and waits for its end. Returns its id. */
  async run(suiteId: string): Promise<string> {
    const runId = await this.request(suiteId);
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      const { endedAt } = await this.#seeds.client.send<Run>('GET', this.#path(`/runs/${runId}`), 200, {
        bearer: this.#workspace.agent.workspace.credential,
      });
      if (endedAt !== null) return runId;
      await delay(LOOK_AGAIN_MS);
    }
    throw new Error('waiting for the end of a run');
  }

  async #post<Body>(path: string, status: number, json: object): Promise<Body> {
    this.#requests += 1;
    return await this.#seeds.client.send<Body>('POST', this.#path(path), status, {
      bearer: this.#workspace.agent.workspace.credential,
      json: { schemaVersion, idempotencyKey: `${this.#keys} ${this.#requests}`, ...json },
    });
  }

  #path(path: string): string {
    return `/v1/installations/${this.#workspace.agent.workspace.installationId}/svccheck${path}`;
  }
}

/** The checks that scenes show. */
export interface SeededChecks {
  /** A run that is verified. */
  readonly verified: string;
  /** A run that misses a heading. */
  readonly failed: string;
}

const HOME = `<!doctype html><title>Seismic catalogue</title><style>body { font: 16px sans-serif; margin: 3rem }</style>
<h1>Latest earthquakes</h1><p>900 events of the last month, as measured.</p>`;

/** An origin that is proved and one that is not, suites, a profile, a run that is verified and one that fails. */
export async function seedChecks(
  seeds: Seeds,
  workspace: SeededWorkspace,
  site: CheckedSite,
): Promise<SeededChecks> {
  site.page('/', HOME);
  const agent = new CheckingAgent(seeds, workspace, site);
  await agent.nameOrigin('https://quakes.northwind.example');
  const originId = await agent.prove();
  const accessProfileId = await agent.createProfile(originId, {
    name: 'Phone in Germany',
    device: 'mobile',
    locale: 'de-DE',
    timezone: 'Europe/Berlin',
  });
  const home = await agent.createSuite(originId, 'Catalogue', agent.headingAt('/', 'Latest earthquakes'));
  const phone = await agent.createSuite(
    originId,
    'Catalogue on a phone',
    [...agent.headingAt('/', 'Seismic events'), { action: 'expect_text', text: '900 events' }],
    { accessProfileId },
  );
  return { verified: await agent.run(home), failed: await agent.run(phone) };
}
