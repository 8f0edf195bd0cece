import type { Send } from '../../../../import/api.ts';
import { mountFlow } from '../../../../import/mount-flow.ts';
import type { SvcImportMount } from '../../../../import/svcimport-widget.d.ts';
import { sendInSession } from '../../../api/session-end.ts';
import type { ImportField } from '../queries.ts';

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
  #onChecking: OwnerImport['onChecking'] | null = null;
  #isOver = false;

  constructor(wanted: OwnerImport) {
    this.#into = intoOf(wanted);
    this.#mount = mountOwnerImport(this.#element, {
      ...wanted,
      onChecking: (importId) => {
        this.#isOver = true;
        this.#onChecking?.(importId);
      },
    });
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
  }
}

function intoOf({ workspaceId, schemaId, revision, maxBytes, maxRows }: OwnerImport): string {
  return [workspaceId, schemaId, revision, maxBytes, maxRows].join();
}

/** Puts the steps of the import widget into a page of the console: the person's session takes the place of a browser session. */
function mountOwnerImport(
  host: Element,
  { title, onChecking, revision, ...wanted }: OwnerImport,
): SvcImportMount {
  const { workspaceId, schemaId, maxBytes } = wanted;
  return mountFlow(
    {
      host,
      workspaceId,
      schemaId,
      maxBytes,
      headingLevel: 2,
      // The console lists the import, whatever becomes of this page.
      confirmLeave: false,
      labels: { ...LABELS, title },
      session: { ...wanted, approvalDelegated: false, imports: [] },
      sessionToken: '',
      sendAs: () => sendAsOwner(workspaceId, schemaId, revision),
      modules: {
        examining: () => import('../../../../import/fix/main.ts').catch(() => null),
        decoding: () => import('../../../../../schemas/imports/fix/legacy.ts').catch(() => null),
        asking: () => import('../../../../import/fix/ask.ts').catch(() => null),
      },
      onChecking,
    },
    () => undefined,
  );
}

/** Sends the widget's requests to the paths of the console, which differ only where an import is reserved. */
function sendAsOwner(workspaceId: string, schemaId: string, revision: number): Send {
  const base = `${location.origin}/v1/console/workspaces/${workspaceId}`;
  return async (path, init) => {
    if (path !== '/imports') return await sendInSession(new Request(base + path, init), fetch);
    const body = JSON.stringify({ ...JSON.parse(String(init.body)), revision });
    return await sendInSession(new Request(`${base}/schemas/${schemaId}${path}`, { ...init, body }), fetch);
  };
}
