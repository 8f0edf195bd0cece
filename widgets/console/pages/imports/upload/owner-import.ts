import type { QueryClient } from '@tanstack/preact-query';
import type { ImportStatus, Send } from '../../../../import/api.ts';
import { mountFlow } from '../../../../import/mount-flow.ts';
import type { SvcImportMount } from '../../../../import/svcimport-widget.d.ts';
import { sendInSession } from '../../../api/session-end.ts';
import type { ImportField } from '../queries.ts';
import { type Reservation, StoppedUploads } from './stopped-uploads.ts';

/** A schema into which a person imports, with the limits of the workspace's plan. */
export interface OwnerImport {
  readonly workspaceId: string;
  readonly schemaId: string;
  readonly revision: number;
  readonly fields: readonly ImportField[];
  readonly maxBytes: number;
  readonly maxRows: number;
  readonly title: string;
  /** Called once the columns are chosen and the rows are being checked. */
  readonly onChecking: (importId: string) => void;
}

/** Texts of the widget that address a user of a customer's page, as they are for an owner. */
const LABELS = {
  stepApprove: 'Review',
  limit: 'A limit of the workspace is reached. Its overview shows which one, and when it is reset.',
  paused: 'The workspace is paused. Resume it on its overview.',
};

/** The steps of one import, which stay as they are, with the chosen file, while the person is on another page of the console. */
export class OwnerImportSteps {
  readonly #into: string;
  readonly #element = document.createElement('div');
  readonly #mount: SvcImportMount;
  readonly #uploads: StoppedUploads;
  #onChecking: OwnerImport['onChecking'] | null = null;
  #isOver = false;

  constructor(wanted: OwnerImport, queries: QueryClient) {
    this.#into = intoOf(wanted);
    this.#uploads = new StoppedUploads(queries, wanted.workspaceId);
    const onChecking = (importId: string) => {
      this.#isOver = true;
      this.#onChecking?.(importId);
    };
    this.#mount = mountOwnerImport(this.#element, { ...wanted, onChecking }, this.#uploads);
  }

  /** True if the steps can continue. For another schema, another revision of it or another plan, they have to begin again. */
  areFor(wanted: OwnerImport): boolean {
    return !this.#isOver && this.#into === intoOf(wanted);
  }

  /** @param onChecking is called only while the steps are shown */
  show(host: Element, onChecking: OwnerImport['onChecking']): void {
    this.#onChecking = onChecking;
    host.append(this.#element);
  }

  hide(): void {
    this.#onChecking = null;
    this.#element.remove();
  }

  /** Ends every request. */
  destroy(): void {
    this.#mount.destroy();
    this.#uploads.end();
  }
}

function intoOf({ workspaceId, schemaId, revision, maxBytes, maxRows }: OwnerImport): string {
  return [workspaceId, schemaId, revision, maxBytes, maxRows].join();
}

/** Puts the steps of the import widget into a page of the console: the person's session takes the place of a browser session. */
function mountOwnerImport(
  host: Element,
  { title, onChecking, revision, ...wanted }: OwnerImport,
  uploads: StoppedUploads,
): SvcImportMount {
  const { workspaceId, schemaId, maxBytes } = wanted;
  return mountFlow(
    {
      host,
      workspaceId,
      schemaId,
      maxBytes,
      headingLevel: 2,
      // The console lists the import, and asks itself while bytes are sent.
      confirmLeave: false,
      // Private data of the console stay in the memory of the page.
      keepFile: false,
      labels: { ...LABELS, title },
      session: { ...wanted, approvalDelegated: false, imports: [] },
      sessionToken: '',
      sendAs: () => sendAsOwner({ workspaceId, schemaId, revision }, uploads),
      modules: {
        examining: () => import('../../../../import/fix/main.ts').catch(() => null),
        decoding: () => import('../../../../../schemas/imports/fix/legacy.ts').catch(() => null),
        asking: () => import('../../../../import/fix/ask.ts').catch(() => null),
        columns: () => import('../../../../import/columns/main.ts').catch(() => null),
        values: () => import('../../../../import/values/main.ts').catch(() => null),
        checking: () => import('../../../../import/check/main.ts').catch(() => null),
      },
      onChecking,
    },
    () => undefined,
  );
}

/**
 * Sends the widget's requests to the paths of the console, which differ only where an import is reserved. The same file gets the
 * import again whose upload stopped.
 */
function sendAsOwner(
  { workspaceId, schemaId, revision }: Pick<OwnerImport, 'workspaceId' | 'schemaId' | 'revision'>,
  uploads: StoppedUploads,
): Send {
  const base = `${location.origin}/v1/console/workspaces/${workspaceId}`;
  const send = (url: string, init: RequestInit) => sendInSession(new Request(url, init), fetch);
  return async (path, init) => {
    if (path !== '/imports') {
      const response = await send(base + path, init);
      await noteArrival(uploads, response);
      return response;
    }
    const reservation: Reservation = { ...JSON.parse(String(init.body)), revision };
    const reserve = async (): Promise<Response> => {
      const { key, isFormer } = uploads.start(schemaId, reservation);
      const body = JSON.stringify({ ...reservation, idempotencyKey: key });
      const response = await send(`${base}/schemas/${schemaId}${path}`, { ...init, body });
      if (isFormer && (await hasEnded(response, (importId) => send(`${base}/imports/${importId}`, {})))) {
        uploads.forget(key);
        return await reserve();
      }
      if (response.ok) uploads.reserved(key, (await bodyOf<ImportStatus>(response)).importId);
      return response;
    };
    return await reserve();
  };
}

/** The statuses of an import that takes no file any more. */
const ENDED: readonly string[] = ['cancelled', 'expired', 'erased', 'failed'];

/** The statuses with which the service refuses a reservation, or an import, that has ended. */
const REFUSED: readonly number[] = [404, 409, 410];

/** True if the import that a reservation names again has ended meanwhile: the file is another import then. */
async function hasEnded(reserved: Response, read: (importId: string) => Promise<Response>): Promise<boolean> {
  if (REFUSED.includes(reserved.status)) return true;
  if (!reserved.ok) return false;
  const found = await read((await bodyOf<ImportStatus>(reserved)).importId);
  if (REFUSED.includes(found.status)) return true;
  return found.ok && ENDED.includes((await bodyOf<ImportStatus>(found)).status);
}

/** Notes from the status of an import that its file has arrived. */
async function noteArrival(uploads: StoppedUploads, response: Response): Promise<void> {
  if (!response.ok || response.headers.get('content-type')?.startsWith('application/json') !== true) return;
  const { importId, status } = await bodyOf<Partial<ImportStatus>>(response);
  if (importId !== undefined && status !== undefined && status !== 'reserved') uploads.arrived(importId);
}

async function bodyOf<Body>(response: Response): Promise<Body> {
  return await response.clone().json();
}
