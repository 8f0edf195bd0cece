import type { QueryClient } from '@tanstack/preact-query';
import { randomId } from '../../../../shared/random-id.ts';
import { keepBesideDrafts, keptBesideDrafts } from '../../../parts/form/draft.ts';
import { holdPage } from '../../../parts/form/unsaved.ts';
import { signal } from '../../../parts/loading/signal.ts';

/** The body with which the widget's steps reserve an import. */
export interface Reservation {
  readonly revision: number;
  readonly byteLength: number;
  readonly sha256: string;
  readonly fileName?: string;
}

/** An upload whose bytes have not all arrived. The file itself is kept nowhere. */
interface Stopped {
  readonly schemaId: string;
  readonly revision: number;
  readonly byteLength: number;
  readonly sha256: string;
  /** The idempotency key: with it, the same file gets the same import again, without another charge. */
  readonly key: string;
  /** Null until the reservation was answered. */
  readonly importId: string | null;
}

/** The idempotency key of an upload. */
interface UploadKey {
  readonly key: string;
  /** True if an earlier upload of the same bytes had it. */
  readonly isFormer: boolean;
}

/** The uploads that a workspace keeps; the oldest is dropped. */
const KEPT_MAX = 10;

/** The import whose file this page is sending, or null. */
export const sending = signal<string | null>(null);

/** The uploads of a workspace that this tab has started and not completed. They outlast a reload. */
export class StoppedUploads {
  readonly #queries: QueryClient;
  readonly #name: string;
  #release: (() => void) | null = null;

  constructor(queries: QueryClient, workspaceId: string) {
    this.#queries = queries;
    this.#name = `uploads/${workspaceId}`;
  }

  /** Returns true if the file of this import can be chosen again. */
  has(importId: string): boolean {
    return this.#all().some((each) => each.importId === importId);
  }

  /** Notes that a file is sent, and has the page ask before it is left. The same bytes get the key of their earlier upload. */
  start(schemaId: string, { revision, byteLength, sha256, fileName }: Reservation): UploadKey {
    this.end();
    this.#release = holdPage(`The file ${fileName ?? ''}, which is being sent`);
    const known = this.#all().find(
      (each) => each.schemaId === schemaId && each.revision === revision && each.sha256 === sha256,
    );
    if (known !== undefined) return { key: known.key, isFormer: true };
    const key = randomId();
    this.#keep([...this.#all(), { schemaId, revision, byteLength, sha256, key, importId: null }]);
    return { key, isFormer: false };
  }

  /** Notes the import that is reserved for a key. */
  reserved(key: string, importId: string): void {
    sending.set(importId);
    this.#keep(this.#all().map((each) => (each.key === key ? { ...each, importId } : each)));
  }

  /** Forgets a key: the service takes no file with it. */
  forget(key: string): void {
    this.#keep(this.#all().filter((each) => each.key !== key));
  }

  /** Notes that the bytes of an import are there, or can no longer arrive. */
  arrived(importId: string): void {
    if (sending.get() === importId) this.end();
    this.#keep(this.#all().filter((each) => each.importId !== importId));
  }

  /** Ends the question before the page is left. */
  end(): void {
    this.#release?.();
    this.#release = null;
    sending.set(null);
  }

  #all(): readonly Stopped[] {
    return keptBesideDrafts<readonly Stopped[]>(this.#queries, this.#name) ?? [];
  }

  #keep(all: readonly Stopped[]): void {
    keepBesideDrafts(this.#queries, this.#name, all.length === 0 ? null : all.slice(-KEPT_MAX));
  }
}
