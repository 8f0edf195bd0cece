import {
  type RejectedRow,
  rejectedRowsCsv,
  rejectedRowsHeader,
} from '../../schemas/imports/rejected-rows.ts';
import { bar, button, h, tick } from '../shared/dom.ts';
import { Api, type ImportStatus, Refused, type RowError, type Session, type Source } from './api.ts';
import { alertOf, Card, type Texts } from './card.ts';
import { showColumns } from './columns-step.ts';
import { showErrors } from './errors-step.ts';
import { isUtf8, kindFaultOf, sizeText } from './file-check.ts';
import { showFile } from './file-step.ts';
import { type FixResult, fixFile } from './fix-flow.ts';
import { loadFix } from './load-fix.ts';
import { type Mapping, recall, remember } from './mapping.ts';
import { sendFile } from './sending.ts';
import type { SvcImportOptions } from './svcimport-widget.d.ts';

/** The pause between two looks at a validation. */
const LOOK_MS = 700;
/** Looks at one validation, which are more than a session has time for. */
const LOOKS_MAX = 3_000;
/** Pages of errors and of rejected rows: the server keeps 1,000 errors in full. */
const PAGES_MAX = 110;

/** Statuses with which an import is over, so that a new one begins. */
const OVER = ['reserved', 'failed', 'cancelled', 'expired', 'erased', 'approved', 'delivered'];

/** One user's way from a file to an approval. Each step shows itself, and asks the service for the next one. */
export class ImportFlow {
  readonly #card: Card;
  readonly #api: Api;
  readonly #options: SvcImportOptions;
  readonly #stop = new AbortController();
  #session: Session | null = null;

  constructor(shadow: ShadowRoot, options: SvcImportOptions, texts: Texts) {
    this.#options = options;
    this.#card = new Card(shadow, texts);
    this.#api = new Api(options.ingestOrigin, options.sessionToken, this.#stop.signal);
    this.#card.show('stepFile', h('p', { 'aria-busy': 'true' }, texts.loading));
    this.#run(() => this.#open());
  }

  /** Ends every request. */
  stop(): void {
    this.#stop.abort();
  }

  /** Runs a step. A refusal is shown in its place, with a button that runs the step again where that can help. */
  #run(step: () => Promise<void>): void {
    step().catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.#refuse(error, () => this.#run(step));
    });
  }

  #refuse(error: unknown, again: () => void): void {
    const card = this.#card;
    const { status, code, message } = error instanceof Refused ? error : new Refused(0, '', '');
    if (status === 401) {
      card.show(null, alertOf(card.text('ended'), card.text('kept')));
      return;
    }
    const isBusy = status === 429 || status === 0 || status >= 500;
    const reason =
      status === 429
        ? card.text('limit', message)
        : isBusy
          ? card.text('lost')
          : message || card.text('lost');
    const canRetry = isBusy || code === 'workspace_paused';
    const restart = () => this.#run(() => this.#open());
    card.show(
      null,
      alertOf(card.text('refused'), reason),
      button(card.text('retry'), canRetry ? again : restart),
    );
  }

  async #open(): Promise<void> {
    const session = await this.#api.get<Session>('');
    this.#session = session;
    const { workspaceId, schemaId } = this.#options;
    if (session.workspaceId !== workspaceId || session.schemaId !== schemaId) throw new Refused(403, '', '');
    // A page that was mounted again continues with the import that it has begun.
    const [latest] = session.imports;
    if (latest !== undefined && !OVER.includes(latest.status)) await this.#continue(latest.importId);
    else this.#chooseFile(null);
  }

  #chooseFile(notice: HTMLElement | null): void {
    const { maxBytes, maxRows } = this.#opened;
    showFile(this.#card, {
      maxBytes: Math.min(maxBytes, this.#options.maxBytes),
      maxRows,
      notice,
      onFile: (file) => this.#run(() => this.#take(file)),
    });
  }

  get #opened(): Session {
    if (this.#session === null) throw new Error('importing before the session is known');
    return this.#session;
  }

  async #take(file: File): Promise<void> {
    const card = this.#card;
    const maxBytes = Math.min(this.#opened.maxBytes, this.#options.maxBytes);
    if (file.size > maxBytes) {
      this.#chooseFile(alertOf(card.text('tooLarge', file.name, sizeText(file.size), sizeText(maxBytes))));
      return;
    }
    // A file that has changed or gone since it was chosen cannot be read.
    const bytes = await file.arrayBuffer().catch(() => null);
    const fault = bytes === null ? 'unreadable' : kindFaultOf(new Uint8Array(bytes));
    if (bytes === null || fault !== null) {
      this.#chooseFile(alertOf(card.text(fault ?? 'unreadable', file.name)));
      return;
    }
    const fixed = await this.#fix(file.name, bytes);
    if (fixed.kind === 'other') this.#chooseFile(fixed.notice);
    else if (fixed.kind === 'send') await this.#send(file.name, fixed.bytes);
    else if (isUtf8(new Uint8Array(bytes))) await this.#send(file.name, bytes);
    else this.#chooseFile(alertOf(card.text('notUtf8', file.name)));
  }

  /** Lets the user correct a file before it is sent. `unread` leaves the decision about the file to the service. */
  async #fix(name: string, bytes: ArrayBuffer): Promise<FixResult> {
    const module = await loadFix(this.#options.ingestOrigin);
    if (module === null) return { kind: 'unread' };
    const maxBytes = Math.min(this.#opened.maxBytes, this.#options.maxBytes);
    const { signal } = this.#stop;
    return await fixFile({
      card: this.#card,
      name,
      bytes: new Uint8Array(bytes),
      maxBytes,
      examine: module.examineFile,
      signal,
    });
  }

  async #send(name: string, bytes: ArrayBuffer): Promise<void> {
    const card = this.#card;
    const place = h('div', { class: 'moving' });
    const total = bytes.byteLength;
    const draw = (sent: number): void => {
      const words = h('p', {}, card.text('sent', sizeText(sent), sizeText(total)));
      place.replaceChildren(h('b', {}, card.text('uploading', name)), bar(sent / total), words);
    };
    draw(0);
    card.show('stepFile', place);
    await this.#continue(await sendFile(this.#api, bytes, draw));
  }

  async #continue(importId: string): Promise<void> {
    const status = await this.#api.get<ImportStatus>(`/imports/${importId}`);
    switch (status.status) {
      case 'uploaded':
        return await this.#mapColumns(status);
      case 'validating':
        return await this.#watch(status);
      case 'needs_correction':
        return await this.#review(status);
      case 'ready':
        return this.#offerApproval(status);
      case 'approved':
      case 'delivered':
        return this.#finish('approved', 'delivered', status.rows.valid);
      default:
        return this.#chooseFile(this.#failure(status));
    }
  }

  #failure({ status, failure }: ImportStatus): HTMLElement {
    const card = this.#card;
    if (status === 'cancelled') return alertOf(card.text('cancelled'));
    const place = failure?.line == null ? '' : `${card.text('line', failure.line)} `;
    return alertOf(card.text('failed'), `${place}${(failure?.code ?? status).replaceAll('_', ' ')}`);
  }

  async #mapColumns(status: ImportStatus): Promise<void> {
    const { importId } = status;
    const source = await this.#api.get<Source>(`/imports/${importId}/source`);
    const { fields, schemaId } = this.#opened;
    showColumns(this.#card, {
      source,
      fields,
      mapping: recall(schemaId, source.headers, fields),
      onCheck: (mapping) => this.#run(() => this.#check(status, source, mapping)),
      onCancel: () => this.#run(() => this.#cancel(importId)),
    });
  }

  async #check({ importId }: ImportStatus, { headers }: Source, mapping: Mapping): Promise<void> {
    remember(this.#opened.schemaId, headers, mapping);
    // Asked for again, because the answer to an earlier mapping may have been lost.
    const { mappingRevision } = await this.#api.get<ImportStatus>(`/imports/${importId}`);
    const columns = mapping.flatMap((target, index) =>
      target === null ? [] : [JSON.stringify({ source: headers[index], target })],
    );
    const revision = (mappingRevision ?? 0) + 1;
    // Written by hand: old libraries give arrays a method toJSON, which JSON.stringify calls.
    const json = `{"version":"svcimport.mapping.v1","revision":${revision},"columns":[${columns.join(',')}]}`;
    await this.#api.post(`/imports/${importId}/mapping`, json);
    const validation = { version: 'svcimport.validate.v1', idempotencyKey: crypto.randomUUID() };
    const status = await this.#api.post<ImportStatus>(
      `/imports/${importId}/validate`,
      JSON.stringify(validation),
    );
    await this.#watch(status);
  }

  async #watch(first: ImportStatus): Promise<void> {
    const { importId } = first;
    const place = h('div', { class: 'moving' });
    const cancel = button(this.#card.text('cancel'), () => this.#run(() => this.#cancel(importId)));
    this.#card.show('stepCheck', place, cancel);
    let status = first;
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      this.#drawProgress(place, status);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      // The page shows something else: the import was cancelled, or the widget is gone.
      if (!place.isConnected) return;
      if (document.hidden) continue;
      status = await this.#api.get<ImportStatus>(`/imports/${importId}`);
      if (status.status !== 'validating') break;
    }
    if (place.isConnected) await this.#continue(importId);
  }

  #drawProgress(place: HTMLElement, { progress: { done, total }, rows }: ImportStatus): void {
    const card = this.#card;
    const words = total === 0 ? card.text('starting') : card.text('checking', done, total);
    const counted = h('p', {}, card.text('counted', rows.valid, rows.invalid));
    place.replaceChildren(h('b', {}, words), bar(total === 0 ? 0 : done / total), counted);
    card.say(words);
  }

  async #review(status: ImportStatus): Promise<void> {
    const { importId } = status;
    const errors: RowError[] = [];
    let total = 0;
    await this.#pages(`/imports/${importId}/errors?`, (page: { errors: RowError[]; total: number }) => {
      errors.push(...page.errors);
      total = page.total;
    });
    showErrors(this.#card, {
      status,
      errors,
      total,
      onAgain: () => this.#chooseFile(null),
      onColumns: () => this.#run(() => this.#mapColumns(status)),
      onDownload: () => void this.#download(importId).catch(() => undefined),
    });
  }

  async #pages<Page>(path: string, take: (page: Page) => void): Promise<void> {
    let cursor: string | null = null;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const at: string = cursor === null ? '' : `&cursor=${cursor}`;
      const answer: Page & { readonly nextCursor: string | null } = await this.#api.get(
        `${path}limit=100${at}`,
      );
      take(answer);
      cursor = answer.nextCursor;
      if (cursor === null) return;
    }
  }

  async #download(importId: string): Promise<void> {
    const { headers } = await this.#api.get<Source>(`/imports/${importId}/source`);
    const rows: RejectedRow[] = [];
    await this.#pages(`/imports/${importId}/rows?filter=invalid&`, (page: { rows: RejectedRow[] }) => {
      rows.push(...page.rows);
    });
    const file = new Blob([rejectedRowsHeader(headers), rejectedRowsCsv(rows)], { type: 'text/csv' });
    const href = URL.createObjectURL(file);
    h('a', { href, download: `rejected-rows-${importId}.csv` }).click();
    URL.revokeObjectURL(href);
  }

  #offerApproval({ importId, rows, validationDigest }: ImportStatus): void {
    const card = this.#card;
    if (!this.#opened.approvalDelegated) {
      this.#finish('ready', 'yourTeam', rows.valid);
      return;
    }
    const approve = async (): Promise<void> => {
      try {
        await this.#api.post(`/imports/${importId}/approve`, JSON.stringify({ validationDigest }));
      } catch (error) {
        // Another mapping or revision since: the import as it is now decides.
        if (!(error instanceof Refused && error.status === 409)) throw error;
      }
      await this.#continue(importId);
    };
    card.show(
      'stepApprove',
      h('p', { class: 'sum' }, card.text('valid', rows.valid, rows.blank)),
      h(
        'div',
        { class: 'buttons' },
        button(card.text('approve', rows.valid), () => this.#run(approve), { class: 'primary' }),
        button(card.text('cancel'), () => this.#run(() => this.#cancel(importId))),
      ),
    );
  }

  #finish(title: 'ready' | 'approved', text: 'yourTeam' | 'delivered', rows: number): void {
    const card = this.#card;
    const words = h('p', { role: 'status' }, h('b', {}, card.text(title, rows)), card.text(text));
    card.show(
      null,
      h('div', { class: 'with-tick' }, tick(), words),
      button(card.text('another'), () => this.#chooseFile(null)),
    );
  }

  async #cancel(importId: string): Promise<void> {
    await this.#api.post(`/imports/${importId}/cancel`, '{}');
    await this.#continue(importId);
  }
}
