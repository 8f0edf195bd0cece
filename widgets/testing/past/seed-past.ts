import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Backend } from '../../../infra/demo/backend.ts';
import { readDataFile, readDataJson } from '../../../infra/demo/files.ts';
import { createWidget, sendFeedback } from '../feedback-seeds.ts';
import type { OpenConsole } from '../open-console.ts';
import { renewed, type SceneData, seedScenes } from '../scene-data.ts';
import { type SeededWorkspace, Seeds } from '../seeds.ts';
import { call, createKey, reportEvents, reportTests, USED_KEYS } from './calls.ts';
import type { ServiceClock } from './service-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The service starts so far behind: a key that nothing has used for a month needs that month. */
export const PAST_MS = 40 * DAY_MS;

/** The hours of a sparkline, and of a workspace's activity. */
const CALL_HOURS = 36;
const EVENT_HOURS = 24;
const SCENES_HOURS_AGO = 30;
/** The last day on which the nightly key was used. */
const LONG_AGO_DAYS = 36;

/** The states that only time makes, besides {@link SceneData}. */
export interface PastData extends SceneData {
  /** A preview that ended before it was claimed. */
  readonly expired: SeededWorkspace;
  readonly paused: SeededWorkspace;
  readonly disconnected: SeededWorkspace;
  /** It has an import in each state. */
  readonly stations: SeededWorkspace;
  /** The id of its import in a state. */
  readonly imports: Readonly<Record<string, string>>;
}

const LOOK_AGAIN_MS = 250;
const LOOKS_MAX = 240;

interface Overviews {
  readonly keys: readonly {
    readonly name: string;
    readonly hours: readonly { readonly allowed: number }[];
  }[];
}

interface Moment {
  readonly behindMs: number;
  readonly happen: () => Promise<void>;
}

/** Lives through the weeks before now, and leaves the data of all scenes. */
export async function seedPast(console: OpenConsole, clock: ServiceClock): Promise<PastData> {
  const past = new Past(console);
  await past.begin();
  const moments = past.moments().sort((one, other) => other.behindMs - one.behindMs);
  for (const { behindMs, happen } of moments) {
    await clock.set(behindMs);
    await happen();
  }
  return await past.end();
}

class Past {
  readonly #url: string;
  readonly #site: OpenConsole['site'];
  #seeds: Seeds;
  readonly #keys = new Map<string, string>();
  readonly #workspaces = new Map<string, SeededWorkspace>();
  readonly #imports: Record<string, string> = {};
  #scenes: SceneData | null = null;
  #schema: Awaited<ReturnType<SeededWorkspace['agent']['configureSchema']>> | null = null;

  constructor({ service, seeds, site }: OpenConsole) {
    this.#url = service.url;
    this.#seeds = seeds;
    this.#site = site;
  }

  async begin(): Promise<void> {
    await this.#seeds.owner.subscribe();
    for (const key of USED_KEYS) {
      this.#keys.set(key.name, await createKey(this.#seeds, this.#seeds.cookie, key));
    }
  }

  moments(): Moment[] {
    const days = Array.from({ length: Math.floor(PAST_MS / DAY_MS) - 1 }, (_, at) => at + 2);
    const hours = Array.from({ length: CALL_HOURS }, (_, hour) => hour);
    return [
      ...days.map((day) => ({
        behindMs: day * DAY_MS,
        happen: () => this.#callAll(({ onDay }) => onDay(day)),
      })),
      // Counts that stay unpublished for days are lost, as they are in a service that is down for as long.
      { behindMs: LONG_AGO_DAYS * DAY_MS - 1, happen: () => this.#untilPublished('nightly-batch') },
      { behindMs: 9 * DAY_MS, happen: () => this.#makeStations() },
      { behindMs: 80 * HOUR_MS, happen: () => this.#makeEnding() },
      { behindMs: SCENES_HOURS_AGO * HOUR_MS, happen: () => this.#makeScenes() },
      ...hours.map((hour) => ({ behindMs: hour * HOUR_MS, happen: () => this.#liveHour(hour) })),
      { behindMs: 5.5 * HOUR_MS, happen: () => this.#importAll() },
    ];
  }

  async end(): Promise<PastData> {
    if (this.#scenes === null) throw new Error('ending before the scenes were seeded');
    await this.#untilPublished('checkout-eu');
    return {
      ...(await renewed(this.#scenes, this.#seeds)),
      expired: this.#workspace('tide-gauges'),
      paused: this.#workspace('ground-motion'),
      disconnected: this.#workspace('old-portal'),
      stations: this.#workspace('station-network'),
      imports: this.#imports,
    };
  }

  /** A session ends after half a day: each moment has its own. */
  async #signIn(): Promise<void> {
    this.#seeds = await Seeds.afterSetUp(this.#url);
  }

  /** Calls are published a little later than they are made. Waits for those of a key in the current hour. */
  async #untilPublished(key: string): Promise<void> {
    await this.#signIn();
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      const { client, cookie } = this.#seeds;
      const { keys } = await client.send<Overviews>('GET', '/v1/key-overviews', 200, { cookie });
      const hours = keys.find(({ name }) => name === key)?.hours;
      if ((hours?.at(-1)?.allowed ?? 0) > 0) return;
      await delay(LOOK_AGAIN_MS);
    }
    throw new Error('waiting for the calls to be published');
  }

  #workspace(name: string): SeededWorkspace {
    const found = this.#workspaces.get(name);
    if (found === undefined) throw new Error(`looking for the workspace ${name}`);
    return found;
  }

  async #callAll(callsOf: (key: (typeof USED_KEYS)[number]) => Parameters<typeof call>[2]): Promise<void> {
    for (const key of USED_KEYS) await call(this.#url, this.#keys.get(key.name) ?? '', callsOf(key));
  }

  async #liveHour(hour: number): Promise<void> {
    await this.#callAll(({ inHour }) => inHour(hour));
    if (this.#scenes === null || hour >= EVENT_HOURS) return;
    const { backend, configuration } = this.#scenes.checklist;
    const stepKeys = configuration.steps.map(({ key }) => key);
    await reportEvents({ backend, stepKeys }, EVENT_HOURS - 1 - hour, EVENT_HOURS);
  }

  /** Makes a workspace of the organization, claimed. */
  async #claimed(name: string): Promise<SeededWorkspace> {
    const workspace = await this.#seeds.workspace(name);
    await this.#seeds.verifiedResult(workspace);
    await this.#seeds.owner.claim(workspace.workspaceId);
    this.#workspaces.set(name, workspace);
    return workspace;
  }

  async #makeStations(): Promise<void> {
    await this.#signIn();
    const { agent } = await this.#claimed('station-network');
    this.#schema = await agent.configureSchema(randomUUID(), readDataJson<object>('schema.json'));
    this.#imports['expired'] = await this.#validated('earthquakes-corrected.csv');
  }

  async #makeEnding(): Promise<void> {
    await this.#signIn();
    const ending = await this.#seeds.workspace('tide-gauges');
    this.#workspaces.set('tide-gauges', ending);
    const [paused, gone] = [await this.#claimed('ground-motion'), await this.#claimed('old-portal')];
    for (const each of [ending, paused, gone]) {
      const widgetId = await createWidget(this.#seeds, each);
      await sendFeedback(this.#seeds, widgetId, { message: 'The tide tables load quickly now.', rating: 5 });
    }
    await this.#change(paused, 'pause', {});
    await this.#change(gone, 'disconnect', { confirm: 'old-portal' });
  }

  async #change({ workspaceId }: SeededWorkspace, change: string, json: object): Promise<void> {
    const path = `/v1/console/workspaces/${workspaceId}/${change}`;
    await this.#seeds.client.send('POST', path, 200, { cookie: this.#seeds.cookie, json });
  }

  async #makeScenes(): Promise<void> {
    await this.#signIn();
    this.#scenes = await seedScenes(this.#seeds, this.#site);
    await reportTests(this.#seeds, this.#scenes.workspace, this.#scenes.checklist);
  }

  /** Brings an import into each state that lasts. */
  async #importAll(): Promise<void> {
    await this.#signIn();
    const { agent } = this.#workspace('station-network');
    const schema = this.#schemaMade();
    const file = readDataFile('earthquakes.csv');
    this.#imports['reserved'] = (
      await agent.reserveImport(randomUUID(), schema, file, 'earthquakes-2018-02.csv')
    ).importId;
    const uploaded = await agent.reserveImport(randomUUID(), schema, file, 'earthquakes-2018-03.csv');
    await agent.upload(uploaded, file);
    this.#imports['uploaded'] = uploaded.importId;
    this.#imports['failed'] = await this.#validated(unclosed(file));
    this.#imports['needs_correction'] = await this.#validated('earthquakes-faulty.csv');
    for (const status of ['ready', 'approved', 'delivered', 'cancelled']) {
      this.#imports[status] = await this.#validated('earthquakes.csv');
    }
    await this.#deliver(this.#imports['approved'] ?? '', 4);
    await this.#deliver(this.#imports['delivered'] ?? '', Number.POSITIVE_INFINITY);
    await this.#change(
      this.#workspace('station-network'),
      `imports/${this.#imports['cancelled']}/cancel`,
      {},
    );
  }

  #schemaMade() {
    if (this.#schema === null) throw new Error('importing before the schema was made');
    return this.#schema;
  }

  async #validated(file: string | Uint8Array<ArrayBuffer>): Promise<string> {
    const { agent } = this.#workspace('station-network');
    const [bytes, name] = typeof file === 'string' ? [readDataFile(file), file] : [file, undefined];
    const importId = await this.#seeds.importInto(agent, this.#schemaMade(), bytes, name);
    await this.#seeds.validate(agent, importId);
    return importId;
  }

  /** Approves an import, and lets a backend acknowledge its first batches. */
  async #deliver(importId: string, batches: number): Promise<void> {
    const { workspaceId, agent } = this.#workspace('station-network');
    const { schemaId } = this.#schemaMade();
    const { validationDigest } = await agent.binding(importId);
    await this.#seeds.owner.approve(workspaceId, importId, validationDigest ?? '');
    const capability = await this.#seeds.owner.createCapability(randomUUID(), {
      workspaceId,
      schemaId,
      origin: 'https://observatory.example',
      delegateApproval: false,
    });
    const backend = new Backend(this.#seeds.client, { workspaceId, schemaId, capability });
    let pulled = 0;
    for await (const batch of backend.batches(importId)) {
      if (pulled === batches) return;
      await backend.acknowledge(importId, batch);
      pulled += 1;
    }
  }
}

/** The file with a quoted cell after it that nothing closes. */
function unclosed(file: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat([file, Buffer.from('"us1')]));
}
