import type { Choices } from '../../schemas/imports/fix/findings.ts';
import { bar, h } from '../shared/dom.ts';
import {
  Api,
  type ImportStatus,
  Refused,
  refusedBy,
  type Session,
  type Source,
  UPLOAD_UNAUTHORIZED,
} from './api.ts';
import { offerApproval } from './approve-step.ts';
import { alertOf, type Card } from './card.ts';
import type { ChosenFile } from './check/kept-table.ts';
import type { ValueTable } from './check/value-table.ts';
import { showSending, watchProgress } from './check-step.ts';
import { failureOf, showEnd } from './end-step.ts';
import { isSame } from './file-check.ts';
import { showFile } from './file-step.ts';
import type { NextPart } from './fix-flow.ts';
import type { FlowOptions } from './flow-options.ts';
import { LeaveGuard } from './leaving.ts';
import { lookAt } from './look-at-import.ts';
import type { Mapping } from './mapping.ts';
import { type ColumnsOffer, offerColumns } from './offer-columns.ts';
import { openValues, restoreValues, type ValuesRequest } from './open-values.ts';
import { readyFile } from './ready-file.ts';
import { refusalLabel } from './reasons.ts';
import { type ChosenColumns, type FileToSend, Upload } from './sending.ts';
import { readSession, underWayIn } from './session.ts';
import { showCounts } from './show-counts.ts';
import type { SvcImportEnd, SvcImportOptions } from './svcimport-widget.d.ts';
import { validationOf } from './validation.ts';

type Step = () => Promise<void>;

/** One user's way from a file to an approval. Each step shows itself, and asks the service for the next one. */
export class ImportFlow {
  readonly #card: Card;
  #api: Api;
  readonly #options: FlowOptions;
  readonly #onEnd: (end: SvcImportEnd) => void;
  readonly #stop = new AbortController();
  readonly #leaving: LeaveGuard;
  #session: Session | null = null;
  /** True once the session was renewed, until the user does something again. */
  #isRenewed = false;
  /** The file that was sent last, so that another session can continue with it, and its import. */
  #sent: (FileToSend & { readonly importId: string | null }) | null = null;
  /** The file as the user has it, with what was chosen for it, so that the user can go back to it. */
  #chosen: ChosenFile | null = null;
  /** The step that is under way, or whose content is on screen. */
  #step: Step | null = null;
  /** The import that the user went back from. */
  #left: string | null = null;
  /** The rows of the file that do not fit into this import. */
  #next: (Pick<NextPart, 'from' | 'to'> & { readonly import: () => void }) | null = null;
  /** The values of that file, while the service does not have them alone. */
  #table: ValueTable | null = null;
  /** True if the user wants to see a file that needs no change. */
  #asks = false;

  /** @param onEnd is told each end */
  constructor(card: Card, options: FlowOptions, onEnd: (end: SvcImportEnd) => void) {
    this.#options = options;
    this.#onEnd = onEnd;
    this.#leaving = new LeaveGuard(options.confirmLeave !== false);
    this.#card = card;
    this.#api = this.#apiOf(options.sessionToken);
    this.#begin(() => this.#open());
  }

  #apiOf(token: string): Api {
    return new Api(this.#options.sendAs(token), this.#stop.signal);
  }

  /** Ends every request. */
  stop(): void {
    this.#stop.abort();
    this.#leaving.set(false);
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
    const refused = refusedBy(error);
    const { status, code } = refused;
    if (refused.isSessionEnd) {
      this.#leaveSession();
      return;
    }
    const isBusy = status === 429 || status === 0 || status >= 500;
    const canRetry = isBusy || code === 'workspace_paused' || code === UPLOAD_UNAUTHORIZED;
    const restart = () => this.#begin(() => this.#open());
    card.show(
      null,
      alertOf(card.text('refused'), card.text(refusalLabel(refused), refused.message)),
      card.action(card.text('retry'), canRetry ? again : restart),
    );
  }

  /** Renews a session that has ended, once: until something follows, the user decides about the next try. */
  #leaveSession(): void {
    const card = this.#card;
    const { renewSession } = this.#options;
    // A session that has never answered is refused for another reason than its age.
    const renew =
      renewSession !== undefined &&
      this.#session !== null &&
      (() => this.#begin(() => this.#renew(renewSession)));
    if (renew && !this.#isRenewed) {
      renew();
      return;
    }
    card.show(
      null,
      alertOf(card.text('ended'), card.text(renew ? 'renew' : 'kept')),
      renew && card.action(card.text('retry'), renew),
    );
    if (!renew) this.#leaving.set(false);
    // The file is kept for the next try.
    this.#onEnd({ kind: 'session-ended', importId: null });
  }

  /** Reads something beside the step on screen. Only the end of the session takes its place. @throws {Refused} */
  async #beside<Result>(read: () => Promise<Result>): Promise<Result> {
    const step = this.#step;
    return await read().catch((error: unknown) => {
      const isShown = this.#step === step && !this.#stop.signal.aborted;
      if (isShown && refusedBy(error).isSessionEnd) this.#leaveSession();
      throw error;
    });
  }

  async #open(): Promise<void> {
    // A page that was mounted again continues with the import that it has begun.
    this.#session = await readSession(this.#api, this.#options);
    const underWay = underWayIn(this.#session);
    const kept = await restoreValues(this.#values);
    if (kept !== null) [this.#chosen, this.#table] = [kept.chosen, kept.table];
    if (underWay !== null) this.#follow(underWay);
    else if (kept !== null) this.#begin(() => this.#chooseColumns(kept.table));
    else this.#chooseFile(null);
  }

  /**
   * Continues with another session of the same user. An import belongs to its session, so a file that was sent is sent again,
   * as a new import.
   */
  async #renew(renewSession: NonNullable<SvcImportOptions['renewSession']>): Promise<void> {
    this.#isRenewed = true;
    this.#card.show('stepFile', h('p', { 'aria-busy': 'true' }, this.#card.text('loading')));
    const { sessionToken } = await renewSession().catch(() => ({ sessionToken: '' }));
    if (sessionToken === '') throw new Refused(401, '', '');
    this.#api = this.#apiOf(sessionToken);
    this.#session = await readSession(this.#api, this.#options);
    if (this.#sent === null) return this.#chooseFile(null);
    const file = this.#sent;
    this.#sent = null;
    this.#send(file);
  }

  /** Tells the host that an import is over. */
  #end(kind: SvcImportEnd['kind'], importId: string | null): void {
    this.#sent = null;
    this.#table?.forget();
    this.#table = null;
    this.#leaving.set(false);
    this.#onEnd({ kind, importId });
  }

  #chooseFile(notice: HTMLElement | null): void {
    const { maxBytes, maxRows } = this.#opened;
    this.#leaving.set(false);
    showFile(this.#card, {
      maxBytes,
      maxRows,
      notice,
      onAsk: (asks) => {
        this.#asks = asks;
      },
      onFile: (file) => this.#begin(() => this.#take(file)),
    });
  }

  get #values(): ValuesRequest {
    const { signal } = this.#stop;
    return { card: this.#card, session: this.#opened, options: this.#options, signal };
  }

  get #opened(): Session {
    if (this.#session === null) throw new Error('importing before the session is known');
    return this.#session;
  }

  async #take(file: File, choices: Choices = { agreed: new Map() }, asks = this.#asks): Promise<void> {
    this.#next = null;
    this.#chosen = null;
    const before = this.#table;
    this.#isRenewed = false;
    const ready = await readyFile({ ...this.#values, file, choices, asks });
    if (ready.kind === 'other') {
      this.#chooseFile(ready.notice);
      return;
    }
    const { next } = ready;
    const chosen = { file, choices: ready.choices, rows: ready.rows };
    this.#chosen = chosen;
    this.#next = next && { ...next, import: () => this.#begin(() => this.#take(file, next.choices)) };
    const send = { name: file.name, bytes: ready.bytes, changes: ready.changes };
    const table = await openValues(this.#values, send, chosen, before);
    this.#table = table;
    if (table === null) this.#send(send);
    else this.#begin(() => this.#chooseColumns(table));
  }

  /** Lets the user choose where columns go and how they are written, before the file is sent. */
  #chooseColumns(table: ValueTable): Promise<void> {
    return this.#offerColumns({
      source: table.source,
      rows: table.rows,
      left: null,
      written: table.written(),
      check: ({ mapping }) => this.#correct(table, mapping),
      onCancel: null,
    });
  }

  /** Has the user correct the rows that break a rule, and sends the file. */
  async #correct(table: ValueTable, mapping: Mapping): Promise<void> {
    const file = await table.check(mapping);
    if (file === null) this.#begin(() => this.#chooseColumns(table));
    else this.#send(file);
  }

  #send(file: FileToSend): void {
    const [before, left] = [this.#sent, this.#left];
    this.#left = null;
    if (before?.importId != null && isSame(before.bytes, file.bytes)) {
      const { importId } = before;
      const { chosen } = file;
      if (chosen) this.#begin(() => this.#check(importId, chosen));
      else this.#follow(importId);
      return;
    }
    this.#sent = { ...file, importId: null };
    this.#leaving.set(true);
    const upload = new Upload(this.#api, file);
    this.#begin(async () => {
      const draw = showSending(this.#card, file.name, file.bytes.byteLength);
      // Another file takes its place.
      if (left !== null) await this.#api.post(`/imports/${left}/cancel`, '{}').catch(() => null);
      const importId = await upload.send(draw);
      const { chosen } = file;
      this.#sent = { ...file, importId };
      if (chosen) this.#begin(() => this.#check(importId, chosen));
      else this.#follow(importId);
    });
  }

  /** Shows what comes next for an import, as a step. */
  #follow(importId: string): void {
    this.#leaving.set(true);
    this.#begin(() => this.#continue(importId));
  }

  async #continue(importId: string): Promise<void> {
    const status = await lookAt(this.#api, importId);
    switch (status.status) {
      case 'uploaded':
        return await this.#mapColumns(status);
      case 'validating':
        return await this.#watch(status);
      case 'needs_correction':
        return await this.#review(status);
      case 'ready':
        return await this.#offerApproval(status);
      case 'approved':
      case 'delivered':
        return this.#finish('approved', 'delivered', status);
      default:
        this.#chooseFile(failureOf(this.#card, status));
        return this.#end(status.status === 'cancelled' ? 'cancelled' : 'failed', importId);
    }
  }

  async #mapColumns({ importId, rows }: ImportStatus): Promise<void> {
    await this.#offerColumns({
      source: await this.#api.get<Source>(`/imports/${importId}/source`),
      rows: this.#chosen?.rows?.length ?? (rows.total > 0 ? rows.total - rows.blank : null),
      left: importId,
      check: (chosen) => this.#check(importId, chosen),
      onCancel: () => this.#begin(() => this.#cancel(importId)),
    });
  }

  /** @param offer `left`: the import that the user goes back from */
  async #offerColumns(
    offer: Omit<ColumnsOffer, 'onBack' | 'onCheck'> & {
      readonly left: string | null;
      readonly check: (chosen: ChosenColumns) => Promise<void>;
    },
  ): Promise<void> {
    const chosen = this.#chosen;
    const back = (): void => {
      this.#left = offer.left ?? this.#left;
      if (chosen) this.#begin(() => this.#take(chosen.file, chosen.choices, true));
    };
    const onCheck = (columns: ChosenColumns): void => this.#begin(() => offer.check(columns));
    offerColumns(this.#card, this.#opened, await this.#options.modules.columns(), {
      ...offer,
      onBack: chosen && back,
      onCheck,
    });
    this.#isRenewed = false;
  }

  async #check(importId: string, chosen: ChosenColumns): Promise<void> {
    const place = h('div', { class: 'moving' }, h('b', {}, this.#card.text('starting')), bar(0));
    this.#card.show('stepCheck', place);
    const validate = await validationOf(this.#api, importId, chosen);
    this.#begin(async () => {
      await validate();
      const { onChecking = (id: string) => this.#follow(id) } = this.#options;
      onChecking(importId);
    });
  }

  async #watch(first: ImportStatus): Promise<void> {
    const { importId } = first;
    const isOver = await watchProgress(this.#card, first, {
      look: () => lookAt(this.#api, importId),
      onCancel: () => this.#begin(() => this.#cancel(importId)),
    });
    if (isOver) this.#follow(importId);
  }

  async #review(status: ImportStatus): Promise<void> {
    const { importId } = status;
    const part = await this.#options.modules.checking();
    const table = this.#table;
    if (part !== null && table !== null) {
      // Another file takes its place, unless nothing is corrected.
      table.refuse((await part.readErrors(this.#api, importId)).errors);
      this.#left = importId;
      this.#begin(() => this.#correct(table, table.mapping));
      return;
    }
    await (part?.reviewErrors ?? showCounts)(this.#card, this.#api, status, {
      lineOf: ({ row, line }) => this.#chosen?.rows?.at(row - 1)?.line ?? (status.changes ? undefined : line),
      beside: (read) => this.#beside(read),
      onAgain: () => this.#chooseFile(null),
      onColumns: () => this.#begin(() => this.#mapColumns(status)),
    });
  }

  async #offerApproval(status: ImportStatus): Promise<void> {
    if (!this.#opened.approvalDelegated) {
      this.#finish('ready', 'yourTeam', status);
      return;
    }
    const { importId, changes } = status;
    offerApproval(this.#card, this.#api, status, {
      columns: changes ? await this.#options.modules.columns() : null,
      fields: this.#opened.fields,
      beside: (read) => this.#beside(read),
      onApprove: (approve) =>
        this.#begin(async () => {
          await approve();
          this.#follow(importId);
        }),
      onCancel: () => this.#begin(() => this.#cancel(importId)),
    });
  }

  #finish(kind: 'ready' | 'approved', text: 'yourTeam' | 'delivered', status: ImportStatus): void {
    const next = this.#next;
    showEnd(this.#card, {
      kind,
      text,
      status,
      next,
      onNext: () => next?.import(),
      onAnother: () => this.#chooseFile(null),
    });
    this.#end(kind, status.importId);
  }

  async #cancel(importId: string): Promise<void> {
    await this.#api.post(`/imports/${importId}/cancel`, '{}');
    this.#follow(importId);
  }
}
