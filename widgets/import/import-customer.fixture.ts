import { randomUUID } from 'node:crypto';
import type { Frame, Locator, Page } from 'playwright-core';
import type { Schema } from '../../infra/demo/agent.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { HostPage } from '../testing/hosts/customer-site.ts';
import type { WidgetStage } from '../testing/hosts/widget-stage.ts';
import type { SeededWorkspace } from '../testing/seeds.ts';

/** Texts, so that the service alone checks the values. */
const FIELDS = [
  { key: 'event', type: 'text', required: true, maxLength: 20 },
  { key: 'date', type: 'text', required: true, maxLength: 10 },
  { key: 'magnitude', type: 'text', required: false, maxLength: 3 },
  { key: 'place', type: 'text', required: false, maxLength: 80 },
];

export const HEADER = 'Event ID,Date,Mag,Place name';

/** A file of the schema's columns with this number of rows, of which the first ones are wrong. */
export function earthquakes(rows: number, wrong = 0): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => `us${row},2026-08-01,${row < wrong ? '4;60' : '4.6'},"Banda Sea, ${row}"`,
  );
  return [HEADER, ...lines, ''].join('\n');
}

/** A page that gets a session from its backend and mounts the widget with it, in `mounted`. */
export function mounting(more: Partial<HostPage> = {}, script = ''): HostPage {
  return {
    script: `fetch('/api/import-session', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
      .then((answer) => answer.json())
      .then((session) => { globalThis.mounted = SvcImport.mount({ ...session, host: document.getElementById('here') }); ${script} });`,
    ...more,
  };
}

/** A customer whose pages import files, and its backend. */
export class ImportCustomer {
  readonly workspace: SeededWorkspace;
  readonly schema: Schema;
  readonly #stage: WidgetStage;
  readonly #capabilities: Record<'delegating' | 'reviewing', string>;
  /** True while users approve their imports themselves. */
  delegates = true;

  private constructor(
    stage: WidgetStage,
    parts: Pick<ImportCustomer, 'workspace' | 'schema'>,
    capabilities: Record<'delegating' | 'reviewing', string>,
  ) {
    this.#stage = stage;
    this.workspace = parts.workspace;
    this.schema = parts.schema;
    this.#capabilities = capabilities;
    stage.site.backend = async () => ({ status: 201, json: await this.mint() });
    stage.stranger.backend = stage.site.backend;
  }

  static async start(stage: WidgetStage, fields: readonly JsonObject[] = FIELDS): Promise<ImportCustomer> {
    const { seeds, site } = stage;
    const workspace = await seeds.workspace('imports');
    const schema = await workspace.agent.configureSchema(randomUUID(), {
      name: 'Earthquakes',
      allowedOrigins: [site.origin],
      schema: { version: 'svcimport.schema.v1', revision: 1, fields },
    });
    const capability = (delegateApproval: boolean) =>
      seeds.owner.createCapability(randomUUID(), {
        workspaceId: workspace.workspaceId,
        schemaId: schema.schemaId,
        origin: site.origin,
        delegateApproval,
      });
    const capabilities = { delegating: await capability(true), reviewing: await capability(false) };
    return new ImportCustomer(stage, { workspace, schema }, capabilities);
  }

  /** The address of the widget. */
  get script(): string {
    return `${this.#stage.ingest.origin}/downloads/svcimport-widget-v0.1.0.js`;
  }

  /** Publishes a page that loads the widget. Returns its address. */
  publish(page: HostPage = mounting()): string {
    return this.#stage.site.publish({ scripts: [this.script], ...page });
  }

  /** Mints a browser session as the backend does. */
  async mint(): Promise<Record<string, unknown>> {
    const { workspaceId } = this.workspace;
    const path = `${this.#stage.ingest.origin}/v1/import/sessions/${workspaceId}/${this.schema.schemaId}`;
    const answer = await this.#stage.ingest.ask('POST', new URL(path).pathname, {
      authorization: `Bearer ${this.#capabilities[this.delegates ? 'delegating' : 'reviewing']}`,
      json: { version: 'svcimport.mint-session.v1' },
    });
    return answer;
  }
}

/** The widget on a page. */
export function cardOn(page: Page | Frame): Locator {
  return page.getByRole('group', { name: 'Import a file' });
}

/** Chooses a file in the widget, once it asks for one. */
export async function choose(
  page: Page | Frame,
  content: string | Buffer,
  name = 'events.csv',
): Promise<void> {
  const input = page.locator('#here input[type=file]');
  await input.waitFor({ state: 'attached' });
  await input.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}

/** The steps that are over, and the current one. */
export async function stepOf(page: Page | Frame): Promise<string | null> {
  const current = page.locator('#here [aria-current=step]');
  return (await current.count()) === 0 ? null : await current.textContent();
}
