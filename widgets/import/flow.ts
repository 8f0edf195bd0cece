import type { Choices } from '../../schemas/imports/fix/findings.ts';
import type { Rows } from '../../schemas/imports/fix/row-list.ts';
import { bar, h } from '../shared/dom.ts';
import { randomId } from '../shared/random-id.ts';
import {
  Api,
  type ImportStatus,
  Refused,
  refusedBy,
  type Session,
  type Source,
  UPLOAD_UNAUTHORIZED,
} from './api.ts';
import { showApproval } from './approve-step.ts';
import { alertOf, type Card } from './card.ts';
import { drawProgress, showSending } from './check-step.ts';
import { showColumns } from './columns-step.ts';
import { failureOf, showEnd } from './end-step.ts';
import { showErrors } from './errors-step.ts';
import { isSame } from './file-check.ts';
import { showFile } from './file-step.ts';
import { firstChoice } from './first-choice.ts';
import type { NextPart } from './fix-flow.ts';
import type { FlowOptions } from './flow-options.ts';
import { LeaveGuard } from './leaving.ts';
import { lookAt, pause } from './look-at-import.ts';
import { firstRows } from './look-at-rows.ts';
import { type Mapping, mappingJson, remember } from './mapping.ts';
import { readyFile } from './ready-file.ts';
import { refusalLabel } from './reasons.ts';
import { RejectedFile, readErrors } from './rejected-file.ts';
import { type FileToSend, Upload } from './sending.ts';
import type { SvcImportEnd, SvcImportOptions } from './svcimport-widget.d.ts';
import { timeLeft } from './time-left.ts';

/** Looks at one validation, which are more than a session has time for. */
const LOOKS_MAX = 3_000;

/** Statuses with which an import is over, so that a new one begins. */
const OVER = ['reserved', 'failed', 'cancelled', 'expired', 'erased', 'approved', 'delivered'];

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
  #chosen: { readonly file: File; readonly choices: Choices; readonly rows: Rows | null } | null = null;
  /** The step that is under way, or whose content is on screen. */
  #step: Step | null = null;
  /** The import that the user went back from. */
  #left: string | null = null;
  /** The rows of the file that do not fit into this import. */
  #next: (Pick<NextPart, 'from' | 'to'> & { readonly import: () => void }) | null = null;
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

  async #readSession(): Promise<Session> {
    const session = this.#options.session ?? (await this.#api.get<Session>(''));
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
    this.#isRenewed = true;
    this.#card.show('stepFile', h('p', { 'aria-busy': 'true' }, this.#card.text('loading')));
    const { sessionToken } = await renewSession().catch(() => ({ sessionToken: '' }));
    if (sessionToken === '') throw new Refused(401, '', '');
    this.#api = this.#apiOf(sessionToken);
    await this.#readSession();
    if (this.#sent === null) return this.#chooseFile(null);
    const file = this.#sent;
    this.#sent = null;
    this.#send(file);
  }

  /** Tells the host that an import is over. */
  #end(kind: SvcImportEnd['kind'], importId: string | null): void {
    this.#sent = null;
    this.#leaving.set(false);
    this.#onEnd({ kind, importId });
  }

  #chooseFile(notice: HTMLElement | null): void {
    const { maxBytes, maxRows } = this.#opened;
    this.#leaving.set(false);
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

  async #take(file: File, choices: Choices = { agreed: new Map() }, asks = this.#asks): Promise<void> {
    this.#next = null;
    this.#chosen = null;
    this.#isRenewed = false;
    const { modules } = this.#options;
    const maxBytes = Math.min(this.#opened.maxBytes, this.#options.maxBytes);
    const [card, session, { signal }] = [this.#card, this.#opened, this.#stop];
    const ready = await readyFile({ card, file, session, modules, maxBytes, choices, asks, signal });
    if (ready.kind === 'other') {
      this.#chooseFile(ready.notice);
      return;
    }
    const { next } = ready;
    this.#chosen = { file, choices: ready.choices, rows: ready.rows };
    this.#next = next && { ...next, import: () => this.#begin(() => this.#take(file, next.choices)) };
    this.#send({ name: file.name, bytes: ready.bytes, changes: ready.changes });
  }

  #send(file: FileToSend): void {
    const [before, left] = [this.#sent, this.#left];
    this.#left = null;
    if (before?.importId != null && isSame(before.bytes, file.bytes)) {
      this.#follow(before.importId);
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
      this.#sent = { ...file, importId };
      this.#follow(importId);
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

  async #mapColumns(status: ImportStatus): Promise<void> {
    const { importId, rows } = status;
    const { fields, schemaId } = this.#opened;
    const [source, part] = await Promise.all([
      this.#api.get<Source>(`/imports/${importId}/source`),
      this.#options.modules.columns(),
    ]);
    this.#isRenewed = false;
    const chosen = this.#chosen;
    showColumns(this.#card, {
      source,
      fields,
      ...firstChoice(this.#card, this.#opened, source, part),
      rows: chosen?.rows?.length ?? (rows.total > 0 ? rows.total - rows.blank : null),
      onBack:
        chosen &&
        ((mapping) => {
          remember(schemaId, source.headers, mapping);
          this.#left = importId;
          this.#begin(() => this.#take(chosen.file, chosen.choices, true));
        }),
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
    const json = mappingJson((mappingRevision ?? 0) + 1, headers, mapping);
    const validation = { version: 'svcimport.validate.v1', idempotencyKey: randomId() };
    // Made once, so that a repeat of the step is the same mapping and the same validation.
    this.#begin(() => this.#validate(importId, json, JSON.stringify(validation)));
  }

  async #validate(importId: string, mapping: string, validation: string): Promise<void> {
    try {
      await this.#api.post(`/imports/${importId}/mapping`, mapping);
      await this.#api.post(`/imports/${importId}/validate`, validation);
    } catch (error) {
      if (!refusedBy(error).isConflict) throw error;
    }
    const { onChecking = (id: string) => this.#follow(id) } = this.#options;
    onChecking(importId);
  }

  async #watch(first: ImportStatus): Promise<void> {
    const { importId } = first;
    const card = this.#card;
    const place = h('div', { class: 'moving' });
    const cancel = card.action(card.text('cancel'), () => this.#begin(() => this.#cancel(importId)));
    card.show('stepCheck', place, cancel);
    let status = first;
    const left = timeLeft(card);
    for (let look = 0; look < LOOKS_MAX && status.status === 'validating'; look += 1) {
      drawProgress(card, place, status, left);
      await pause();
      // A page that has taken the widget away may put it back.
      await card.whenHere();
      // The widget shows something else: the import was cancelled.
      if (place.parentNode === null) return;
      if (document.hidden) continue;
      status = await lookAt(this.#api, importId);
    }
    if (place.parentNode !== null) this.#follow(importId);
  }

  async #review(status: ImportStatus): Promise<void> {
    const { importId } = status;
    const { errors, total } = await readErrors(this.#api, importId);
    const rejected = new RejectedFile(this.#api, importId);
    showErrors(this.#card, {
      status,
      errors,
      total,
      lineOf: ({ row, line }) => this.#chosen?.rows?.at(row - 1)?.line ?? (status.changes ? undefined : line),
      readRows: (error) =>
        this.#beside(async () => {
          const { headers } = await this.#api.get<Source>(`/imports/${importId}/source`);
          return { headers, rows: await firstRows(this.#api, importId, 'invalid', error) };
        }),
      onAgain: () => this.#chooseFile(null),
      onColumns: () => this.#begin(() => this.#mapColumns(status)),
      onDownload: (onRows) => this.#beside(() => rejected.save(onRows)),
    });
  }

  async #offerApproval(status: ImportStatus): Promise<void> {
    const { importId, rows, validationDigest, changes } = status;
    if (!this.#opened.approvalDelegated) {
      this.#finish('ready', 'yourTeam', status);
      return;
    }
    const approve = async (): Promise<void> => {
      try {
        await this.#api.post(`/imports/${importId}/approve`, JSON.stringify({ validationDigest }));
      } catch (error) {
        // Another mapping or revision since: the import as it is now decides.
        if (!refusedBy(error).isConflict) throw error;
      }
      this.#follow(importId);
    };
    const list = (await (changes && this.#options.modules.columns()))?.changeList;
    showApproval(this.#card, {
      rows,
      changes: list?.(this.#card, changes ?? [], this.#opened.fields) ?? null,
      readRows: () => this.#beside(() => firstRows(this.#api, importId, 'valid', null)),
      onApprove: () => this.#begin(approve),
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
