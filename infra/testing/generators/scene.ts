import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { ServiceProcess } from '../../tools/service-process/service-process.ts';
import { askOf, buildWorld, FILE, LIMITS, type World } from '../e2e/borders/world.fixture.ts';

const WINDOW = { namespace: 'generators', limit: 100, window: 3_600_000 };

/** The visit of one program: its environment, and what the service sent to it. */
interface Visit {
  readonly environment: Readonly<Record<string, string>>;
  readonly sent: () => Promise<string>;
}

/** A service with a workspace, a key and a checklist, for the programs; and one without an owner, for the guide. */
export class Scene {
  readonly #world: World;
  readonly #fresh: ServiceProcess;

  private constructor(world: World, fresh: ServiceProcess) {
    this.#world = world;
    this.#fresh = fresh;
  }

  static async start(): Promise<Scene> {
    const world = await buildWorld({ limits: LIMITS, environment: { SVC_ENGINE: 'embedded' } });
    return new Scene(world, await ServiceProcess.start({ environment: { SVC_ENGINE: 'embedded' } }));
  }

  async dispose(): Promise<void> {
    await this.#world.service.dispose();
    await this.#fresh.dispose();
  }

  /** The document of the service that the programs call: some clients call the addresses that it names. */
  async document(): Promise<string> {
    return await (await fetch(`${this.#world.service.url}/openapi.json`)).text();
  }

  /** Prepares the visit of a program: it opens a window, so that the end is known, and reserves an upload. */
  async visitOf(name: string, folder: string): Promise<Visit> {
    const { service, callers, known } = this.#world;
    const { installationId = '', checklistId = '', schemaId } = known;
    const ask = askOf(service.url);
    const { data } = await ask('/v1/check', callers.limiter, { ...WINDOW, identifier: name });
    const reserved = await ask(
      `/v1/installations/${installationId}/svcimport/schemas/${schemaId}/imports`,
      callers.project,
      {
        version: 'svcimport.upload.v1',
        idempotencyKey: name,
        revision: 1,
        byteLength: FILE.length,
        sha256: sha256Hex(FILE),
      },
    );
    const file = join(folder, 'orders.csv');
    writeFileSync(file, FILE);
    const subjectDigest = sha256Hex(name);
    const [, setUpCode = ''] = this.#fresh.setUpLink.split('#');
    const event = {
      ...{
        schemaVersion: '2026-09-07',
        idempotencyKey: name,
        subjectDigest,
        cohort: 'test',
        eventKey: 'first',
      },
    };
    return {
      environment: {
        ...{ NAME: name, SUBJECT: subjectDigest, FILE: file, CSV: FILE.toString() },
        ...{ SVC_URL: service.url, FRESH_URL: this.#fresh.url, SET_UP_CODE: setUpCode },
        ...{ INSTALLATION_ID: installationId, CHECKLIST_ID: checklistId, IMPORT_ID: reserved.importId },
        ...{ LIMITER_KEY: secretOf(callers.limiter), PROJECT: secretOf(callers.project) },
        UPLOAD_TOKEN: reserved.uploadToken,
      },
      // A repeat of an event gets the first answer.
      sent: async () => {
        const events = `/v1/installations/${installationId}/svcactivate/checklists/${checklistId}/events`;
        const { eventId, receivedAt } = await ask(events, callers.project, event);
        return [data.allowed, data.reset_at, eventId, Date.parse(receivedAt), FILE.length].join(' ');
      },
    };
  }
}

function secretOf({ authorization = '' }: Readonly<Record<string, string>>): string {
  return authorization.replace('Bearer ', '');
}
