import { COLUMNS_MAX } from '../../schemas/csv/limits.ts';
import { bar, h, tick } from '../shared/dom.ts';
import { Api, type ImportStatus, Refused, type RowError, type Session, type Source } from './api.ts';
import { alertOf, type Card } from './card.ts';
import { showColumns } from './columns-step.ts';
import { showErrors } from './errors-step.ts';
import { isUtf8, kindFaultOf, sizeText } from './file-check.ts';
import { showFile } from './file-step.ts';
import { type FixResult, fixFile } from './fix-flow.ts';
import { loadFix } from './load-fix.ts';
import { type Mapping, recall, remember } from './mapping.ts';
import { faultText, refusalLabel } from './reasons.ts';
import { RejectedFile, readPages } from './rejected-file.ts';
import { Upload } from './sending.ts';
import type { SvcImportEnd, SvcImportOptions } from './svcimport-widget.d.ts';

/** The pause between two looks at a validation. */
const LOOK_MS = 700;
/** Looks at one validation, which are more than a session has time for. */
const LOOKS_MAX = 3_000;
/** Looks without an answer, one after the other, before the user is told. */
const LOST_LOOKS_MAX = 5;

/** Statuses with which an import is over, so that a new one begins. */
const OVER = ['reserved', 'failed', 'cancelled', 'expired', 'erased', 'approved', 'delivered'];

type Step = () => Promise<void>;

/** One user's way from a file to an approval. Each step shows itself, and asks the service for the next one. */
export class ImportFlow {
  readonly #card: Card;
  #api: Api;
  readonly #options: SvcImportOptions;
  readonly #onEnd: (end: SvcImportEnd) => void;
  readonly #stop = new AbortController();
  #session: Session | null = null;
  /** The file that was sent last, so that another session can continue with it. */
  #sent: { readonly name: string; readonly bytes: ArrayBuffer } | null = null;
  /** The step that is under way, or whose content is on screen. */
  #step: Step | null = null;
  /** True if the user wants to see a file that needs no change. */
  #asks = false;

  /** @param onEnd is told each end */
  constructor(card: Card, options: SvcImportOptions, onEnd: (end: SvcImportEnd) => void) {
    const { texts } = card;
    this.#options = options;
    this.#onEnd = onEnd;
    this.#card = card;
    this.#api = this.#apiOf(options.sessionToken);
    this.#card.show('stepFile', h('p', { 'aria-busy': 'true' }, texts.loading));
    this.#begin(() => this.#open());
  }

  #apiOf(token: string): Api {
    return new Api(this.#options.ingestOrigin, token, this.#stop.signal);
  }

  /** Ends every request. */
  stop(): void {
    this.#stop.abort();
  }

  /**
   * Begins a step. A refusal is shown in its place, with a button that begins it again where that can help. So a step does one
   * thing that is worth a repeat, and what follows is a separate step.
   */
  #begin(step: Step): void {
    this.#step = step;
    step().catch((error: unknown) => {
      // Another step has begun meanwhile, or the widget is gone.
      if (this.#step !== step || this.#stop.signal.aborted) return;
      this.#refuse(error, () => this.#begin(step));
    });
  }

  #refuse(error: unknown, again: () => void): void {
    const card = this.#card;
    const refused = error instanceof Refused ? error : new Refused(0, '', '');
    const { status, code } = refused;
    if (status === 401) {
      const { renewSession } = this.#options;
      // A session that has never answered is refused for another reason than its age.
      if (renewSession !== undefined && this.#session !== null) this.#begin(() => this.#renew(renewSession));
      else {
        card.show(null, alertOf(card.text('ended'), card.text('kept')));
        this.#end('session-ended', null);
      }
      return;
    }
    const isBusy = status === 429 || status === 0 || status >= 500;
    const canRetry = isBusy || code === 'workspace_paused';
    const restart = () => this.#begin(() => this.#open());
    card.show(
      null,
      alertOf(card.text('refused'), card.text(refusalLabel(refused), refused.message)),
      card.action(card.text('retry'), canRetry ? again : restart),
    );
  }

  async #readSession(): Promise<Session> {
    const session = await this.#api.get<Session>('');
    this.#session = session;
    const { workspaceId, schemaId } = this.#options;
    if (session.workspaceId !== workspaceId || session.schemaId !== schemaId) throw new Refused(403, '', '');
    return session;
  }

  async #open(): Promise<void> {
    // A page that was mounted again continues with the import that it has begun.
    const [latest] = (await this.#readSession()).imports;
    if (latest !== undefined && !OVER.includes(latest.status)) this.#follow(latest.importId);
    else this.#chooseFile(null);
  }

  /**
   * Continues with another session of the same user. An import belongs to its session, so a file that was sent is sent again,
   * as a new import.
   */
  async #renew(renewSession: NonNullable<SvcImportOptions['renewSession']>): Promise<void> {
    this.#session = null;
    this.#card.show('stepFile', h('p', { 'aria-busy': 'true' }, this.#card.text('loading')));
    const { sessionToken } = await renewSession().catch(() => ({ sessionToken: '' }));
    if (sessionToken === '') throw new Refused(401, '', '');
    this.#api = this.#apiOf(sessionToken);
    await this.#readSession();
    if (this.#sent === null) this.#chooseFile(null);
    else this.#send(this.#sent.name, this.#sent.bytes);
  }

  /** Tells the host that an import is over, or the session. */
  #end(kind: SvcImportEnd['kind'], importId: string | null): void {
    this.#sent = null;
    this.#onEnd({ kind, importId });
  }

  #chooseFile(notice: HTMLElement | null): void {
    const { maxBytes, maxRows } = this.#opened;
    showFile(this.#card, {
      maxBytes: Math.min(maxBytes, this.#options.maxBytes),
      maxRows,
      notice,
      onAsk: (asks) => {
        this.#asks = asks;
      },
      onFile: (file) => this.#begin(() => this.#take(file)),
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
    else if (fixed.kind === 'send') this.#send(file.name, fixed.bytes);
    else if (isUtf8(new Uint8Array(bytes))) this.#send(file.name, bytes);
    else this.#chooseFile(alertOf(card.text('notUtf8', file.name)));
  }

  /** Lets the user correct a file before it is sent. `unread` leaves the decision about the file to the service. */
  async #fix(name: string, bytes: ArrayBuffer): Promise<FixResult> {
    const module = await loadFix(this.#options.ingestOrigin);
    if (module === null) return { kind: 'unread' };
    const { maxBytes, maxRows } = this.#opened;
    const { signal } = this.#stop;
    return await fixFile({
      card: this.#card,
      name,
      bytes: new Uint8Array(bytes),
      maxBytes: Math.min(maxBytes, this.#options.maxBytes),
      asks: this.#asks,
      limits: { rows: maxRows, columns: COLUMNS_MAX },
      examine: module.examineFile,
      signal,
    });
  }

  #send(name: string, bytes: ArrayBuffer): void {
    const card = this.#card;
    this.#sent = { name, bytes };
    const upload = new Upload(this.#api, bytes);
    const total = bytes.byteLength;
    this.#begin(async () => {
      const place = h('div', { class: 'moving' });
      const draw = (sent: number): void => {
        const words = h('p', {}, card.text('sent', sizeText(sent), sizeText(total)));
        place.replaceChildren(h('b', {}, card.text('uploading', name)), bar(sent / total), words);
      };
      draw(0);
      card.show('stepFile', place);
      this.#follow(await upload.send(draw));
    });
  }

  /** Shows what comes next for an import, as a step. */
  #follow(importId: string): void {
    this.#begin(() => this.#continue(importId));
  }

  async #continue(importId: string): Promise<void> {
    const status = await this.#look(importId);
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
        return this.#finish('approved', 'delivered', status);
      default:
        this.#chooseFile(this.#failure(status));
        return this.#end(status.status === 'cancelled' ? 'cancelled' : 'failed', importId);
    }
  }

  #failure({ status, failure }: ImportStatus): HTMLElement {
    const card = this.#card;
    if (status === 'cancelled') return alertOf(card.text('cancelled'));
    const place = failure?.line == null ? '' : `${card.text('line', failure.line)} `;
    return alertOf(card.text('failed'), `${place}${faultText(card.texts, failure?.code ?? status)}`);
  }

  async #mapColumns(status: ImportStatus): Promise<void> {
    const { importId } = status;
    const source = await this.#api.get<Source>(`/imports/${importId}/source`);
    const { fields, schemaId } = this.#opened;
    showColumns(this.#card, {
      source,
      fields,
      mapping: recall(schemaId, source.headers, fields),
      onCheck: (mapping) => this.#begin(() => this.#check(importId, source, mapping)),
      onCancel: () => this.#begin(() => this.#cancel(importId)),
    });
  }

  async #check(importId: string, { headers }: Source, mapping: Mapping): Promise<void> {
    remember(this.#opened.schemaId, headers, mapping);
    const place = h('div', { class: 'moving' }, h('b', {}, this.#card.text('starting')), bar(0));
    this.#card.show('stepCheck', place);
    // Asked for again, because the answer to an earlier mapping may have been lost.
    const { mappingRevision } = await this.#api.get<ImportStatus>(`/imports/${importId}`);
    const columns = mapping.flatMap((target, index) =>
      target === null ? [] : [JSON.stringify({ source: headers[index], target })],
    );
    const revision = (mappingRevision ?? 0) + 1;
    // Written by hand: old libraries give arrays a method toJSON, which JSON.stringify calls.
    const json = `{"version":"svcimport.mapping.v1","revision":${revision},"columns":[${columns.join(',')}]}`;
    const validation = { version: 'svcimport.validate.v1', idempotencyKey: crypto.randomUUID() };
    // Made once, so that a repeat of the step is the same mapping and the same validation.
    this.#begin(() => this.#validate(importId, json, JSON.stringify(validation)));
  }

  async #validate(importId: string, mapping: string, validation: string): Promise<void> {
    try {
      await this.#api.post(`/imports/${importId}/mapping`, mapping);
      await this.#api.post(`/imports/${importId}/validate`, validation);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    this.#follow(importId);
  }

  async #watch(first: ImportStatus): Promise<void> {
    const { importId } = first;
    const card = this.#card;
    const place = h('div', { class: 'moving' });
    const cancel = card.action(card.text('cancel'), () => this.#begin(() => this.#cancel(importId)));
    card.show('stepCheck', place, cancel);
    let status = first;
    for (let look = 0; look < LOOKS_MAX && status.status === 'validating'; look += 1) {
      this.#drawProgress(place, status);
      await pause();
      // The page shows something else: the import was cancelled, or the widget is gone.
      if (!place.isConnected) return;
      if (document.hidden) continue;
      status = await this.#look(importId);
    }
    if (place.isConnected) this.#follow(importId);
  }

  /** Looks at an import until there is an answer, or several looks had none. @throws {Refused} */
  async #look(importId: string): Promise<ImportStatus> {
    const look = () => this.#api.get<ImportStatus>(`/imports/${importId}`);
    for (let lost = 0; lost < LOST_LOOKS_MAX; lost += 1) {
      try {
        return await look();
      } catch (error) {
        if (!(error instanceof Refused && error.isPassing)) throw error;
        await pause();
      }
    }
    return await look();
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
    await readPages(
      this.#api,
      `/imports/${importId}/errors?`,
      (page: { errors: RowError[]; total: number }) => {
        errors.push(...page.errors);
        total = page.total;
      },
    );
    const rejected = new RejectedFile(this.#api, importId);
    showErrors(this.#card, {
      status,
      errors,
      total,
      onAgain: () => this.#chooseFile(null),
      onColumns: () => this.#begin(() => this.#mapColumns(status)),
      onDownload: (onRows) => rejected.save(onRows),
    });
  }

  #offerApproval(status: ImportStatus): void {
    const card = this.#card;
    const { importId, rows, validationDigest } = status;
    if (!this.#opened.approvalDelegated) {
      this.#finish('ready', 'yourTeam', status);
      return;
    }
    const approve = async (): Promise<void> => {
      try {
        await this.#api.post(`/imports/${importId}/approve`, JSON.stringify({ validationDigest }));
      } catch (error) {
        // Another mapping or revision since: the import as it is now decides.
        if (!isConflict(error)) throw error;
      }
      this.#follow(importId);
    };
    card.show(
      'stepApprove',
      h('p', { class: 'sum' }, card.text('valid', rows.valid, rows.blank)),
      h(
        'div',
        { class: 'buttons' },
        card.action(card.text('approve', rows.valid), () => this.#begin(approve), { class: 'primary' }),
        card.action(card.text('cancel'), () => this.#begin(() => this.#cancel(importId))),
      ),
    );
  }

  #finish(
    kind: 'ready' | 'approved',
    text: 'yourTeam' | 'delivered',
    { importId, rows }: ImportStatus,
  ): void {
    const card = this.#card;
    const words = h('p', { role: 'status' }, h('b', {}, card.text(kind, rows.valid)), card.text(text));
    card.show(
      null,
      h('div', { class: 'with-tick' }, tick(), words),
      card.action(card.text('another'), () => this.#chooseFile(null)),
    );
    this.#end(kind, importId);
  }

  async #cancel(importId: string): Promise<void> {
    await this.#api.post(`/imports/${importId}/cancel`, '{}');
    this.#follow(importId);
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, LOOK_MS));

/** True if the import is no longer as the user has seen it. */
function isConflict(error: unknown): boolean {
  return error instanceof Refused && error.status === 409;
}
