import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ChecklistCustomer, expectCount, mounting } from '../../checklist/checklist-customer.fixture.ts';
import { dialogOn, FeedbackCustomer, openDialog } from '../../feedback/feedback-customer.fixture.ts';
import { choose, earthquakes, ImportCustomer, stepOf } from '../../import/import-customer.fixture.ts';
import type { HostPage } from './customer-site.ts';
import type { WidgetStage } from './widget-stage.ts';

const REFERENCE = join(import.meta.dirname, '../../../infra/docs/reference');
const HERE = "document.getElementById('here')";

/** A widget as customers embed it: the parts that differ between the three widgets. */
export interface Embedded {
  /** The one global name of its script. */
  readonly globalName: string;
  /** The address of the script that a mount by hand needs. */
  readonly script: string;
  /** The page of the reference that names the lines for a Content-Security-Policy. */
  readonly reference: string;
  /** The requests that it makes of the service, without scripts. */
  readonly requests: RegExp;
  /** The words that it shows on a page without an origin. */
  readonly refused: string;
  /** Makes a page that embeds it as the reference says. */
  page(more?: Partial<HostPage>): Promise<HostPage>;
  /** Makes the expression that mounts it in `#here`. */
  mount(): Promise<string>;
  /** Brings it to a step that asks the person for something. */
  begin(page: Page): Promise<void>;
  /** Uses it until the service has answered, and shown to the person that it has. */
  use(page: Page | Frame): Promise<void>;
  /** Uses it on a page without an origin. */
  useRefused(frame: Frame): Promise<void>;
}

export type EmbeddedName = 'feedback' | 'checklist' | 'import';

/** Sets up a customer for each widget. */
export async function embedAll(stage: WidgetStage): Promise<Record<EmbeddedName, Embedded>> {
  const feedback = await embedFeedback(stage);
  const checklist = await embedChecklist(stage);
  const { backend } = stage.site;
  const imports = await embedImport(stage);
  // The last customer's backend took the place of the one before.
  stage.site.backend = backend;
  return { feedback, checklist, import: imports };
}

/** Returns the policy that a page of the reference asks for, and nothing more. */
export function documentedPolicy({ reference }: Embedded, ingest: string): string {
  const text = readFileSync(join(REFERENCE, reference), 'utf8');
  const lines = /## Content-Security-Policy\n\n```\n([^`]+)```/.exec(text)?.[1];
  if (lines === undefined) throw new Error(`reading the policy of ${reference}: it names none`);
  return `default-src 'none'; ${lines.replaceAll('https://ingest.example.com', ingest).replaceAll('\n', ' ')}`;
}

async function embedFeedback(stage: WidgetStage): Promise<Embedded> {
  const customer = await FeedbackCustomer.start(stage);
  const { loaderUrl, widgetId } = customer.widget;
  const send = async (page: Page | Frame): Promise<void> => {
    await (await openDialog(page)).fill('It works here.');
    await dialogOn(page).getByRole('button', { name: 'Send' }).click();
  };
  return {
    globalName: 'SvcFeedback',
    script: `${stage.ingest.origin}/downloads/svcfeedback-widget-v0.1.0.js`,
    reference: 'feedback-widget.md',
    requests: /\/submissions$/,
    refused: 'Not sent.',
    page: async (more) => ({ scripts: [loaderUrl], ...more }),
    mount: async () =>
      `SvcFeedback.mount({ widgetId: '${widgetId}', ingestOrigin: '${stage.ingest.origin}', target: ${HERE} })`,
    async begin(page) {
      await openDialog(page);
      await dialogOn(page).getByRole('radio', { name: '4, Well' }).check();
    },
    async use(page) {
      await send(page);
      await dialogOn(page).getByText('Received', { exact: true }).waitFor();
    },
    useRefused: send,
  };
}

async function embedChecklist(stage: WidgetStage): Promise<Embedded> {
  const customer = await ChecklistCustomer.start(stage);
  return {
    globalName: 'SvcActivate',
    script: customer.script,
    reference: 'checklist-widget.md',
    requests: /\/v1\/activate\/progress/,
    refused: 'Progress cannot be read',
    page: async (more) => mounting('matrix', { scripts: [customer.script], ...more }),
    mount: async () => `SvcActivate.mount(${HERE}, { sessionPath: '/api/onboarding/session?user=matrix' })`,
    begin: (page) => expectCount(page, '0 of 3'),
    use: (page) => expectCount(page, '0 of 3'),
    useRefused: async () => undefined,
  };
}

async function embedImport(stage: WidgetStage): Promise<Embedded> {
  const customer = await ImportCustomer.start(stage);
  const mount = async (): Promise<string> =>
    `SvcImport.mount({ ...${JSON.stringify(await customer.mint())}, host: ${HERE} })`;
  const send = async (page: Page | Frame): Promise<void> => {
    await choose(page, earthquakes(3));
    await expect.poll(() => stepOf(page)).toBe('Columns');
  };
  return {
    globalName: 'SvcImport',
    script: customer.script,
    reference: 'import-widget.md',
    requests: /\/v1\/import\/(browser|uploads)/,
    refused: 'Importing is not possible right now',
    page: async (more) => ({ scripts: [customer.script], script: await mount(), ...more }),
    mount,
    begin: send,
    use: send,
    useRefused: async () => undefined,
  };
}
