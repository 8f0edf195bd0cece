import type { Actor } from '../../schemas/base/command.ts';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import type { ErrorCode } from '../../schemas/base/error-codes.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import {
  type FeedbackRoot,
  feedbackRootSchema,
  type SubmissionDocument,
  type SubmissionState,
  submissionDocumentSchema,
  submissionRowId,
  type WidgetDocument,
  widgetDocumentSchema,
} from '../../schemas/feedback/documents.ts';
import { DEFAULT_LIMITS, type Limits } from '../../schemas/limits.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createFeedbackFold } from './fold.ts';

export const START = Date.UTC(2026, 10, 21, 12);
export const AGENT: Actor = { kind: 'agent', id: 'crd_agent' };
export const VISITOR: Actor = { kind: 'visitor', id: 'wid_one' };
export const OWNER: Actor = {
  kind: 'user',
  id: idFrom('user', keyedDigest('test', 'owner')),
  organizationId: idFrom('organization', keyedDigest('test', 'one')),
};
export const SYSTEM: Actor = { kind: 'system', id: 'sweeper' };

const bytes = (text: string) => keyedDigest('test', text);
export const installationId = idFrom('installation', bytes('one'));
export const widgetIdOf = (name: string) => idFrom('widget', bytes(name));
export const submissionIdOf = (name: string) => idFrom('submission', bytes(name));

export const PREVIEW: Lifecycle = {
  version: 1,
  state: 'preview',
  plan: 'preview',
  expiresAt: START + 72 * HOUR_MS,
  products: [],
};
export const CLAIMED = { state: 'active', plan: 'free', expiresAt: null } as const;

/** The refusal's code, or `done`. */
export type ResultCode = 'done' | ErrorCode;

export interface ReceiveOptions {
  readonly widget?: string;
  readonly content?: string;
  readonly held?: boolean;
}

export interface MoveOptions {
  readonly actor?: Actor;
  readonly from?: SubmissionState;
}

/** One installation's feedback in memory, with a step for everything that happens to it. */
export class FeedbackWorld {
  readonly folds: FoldWorld;
  /** The names of all blobs that gateways have written. */
  readonly written: string[] = [];
  /** The name of the widget that steps mean unless they name one. */
  current = 'one';
  #version = 1;
  #lifecycle = PREVIEW;

  constructor(limits: Limits = DEFAULT_LIMITS) {
    this.folds = new FoldWorld([createFeedbackFold(limits)], START);
    this.send('lifecycle', PREVIEW, SYSTEM);
  }

  /** A preview with one widget. */
  static withWidget(limits: Limits = DEFAULT_LIMITS): FeedbackWorld {
    const world = new FeedbackWorld(limits);
    world.create('one');
    return world;
  }

  outcome(type: string, input: JsonObject, actor: Actor, key?: string) {
    const sent = { topic: 'feedback', aggregate: installationId, type, input, actor } as const;
    return this.folds.send(key === undefined ? sent : { ...sent, key });
  }

  send(type: string, input: JsonObject, actor: Actor, key?: string): ResultCode {
    const outcome = this.outcome(type, input, actor, key);
    return outcome.kind === 'refused' ? outcome.refusal.code : 'done';
  }

  advance(ms: number): void {
    this.folds.now += ms;
  }

  /** Sends the workspace's next lifecycle record. */
  lifecycle(changes: Partial<Lifecycle>): ResultCode {
    this.#version += 1;
    this.#lifecycle = { ...this.#lifecycle, ...changes, version: this.#version };
    return this.send('lifecycle', this.#lifecycle, SYSTEM);
  }

  create(name: string, origin = `https://${name}.example`): ResultCode {
    const input = { widgetId: widgetIdOf(name), origin };
    return this.send('create-widget', input, AGENT, `create ${name}`);
  }

  /** The widget to which the id of one leads. */
  target(name: string) {
    return this.folds.digestIndex.get(`feedback-widget:${sha256Hex(widgetIdOf(name))}`)?.target ?? null;
  }

  /** A visitor's submission; each request writes a new blob. */
  receive(name: string, { widget = this.current, content = name, held = false }: ReceiveOptions = {}) {
    const blob = bytes(`blob ${this.written.length}`).toString('hex').slice(0, 32);
    this.written.push(blob);
    const digest = bytes(`content ${content}`).toString('hex');
    const input = { ...idsOf(name, widget), blob, digest, held };
    return this.outcome('receive-submission', input, VISITOR);
  }

  verify(name: string, widget = this.current) {
    return this.outcome('verify-submission', idsOf(name, widget), AGENT);
  }

  move(name: string, state: SubmissionState, { actor = OWNER, from }: MoveOptions = {}): ResultCode {
    const input = { ...idsOf(name, this.current), state, ...(from === undefined ? {} : { from }) };
    return this.send('move-submission', input, actor);
  }

  remove(name: string): ResultCode {
    return this.send('remove-submission', idsOf(name, this.current), OWNER);
  }

  tidy(name: string): ResultCode {
    return this.send('tidy-submission', idsOf(name, this.current), SYSTEM);
  }

  get root(): FeedbackRoot {
    return feedbackRootSchema.parse(this.folds.root('feedback', installationId));
  }

  submission(name: string, widget = 'one'): SubmissionDocument | null {
    const id = submissionRowId(widgetIdOf(widget), submissionIdOf(name));
    const document = this.folds.row('feedback', installationId, 'submission', id);
    return document === null ? null : submissionDocumentSchema.parse(document);
  }

  widget(name: string): WidgetDocument {
    return widgetDocumentSchema.parse(this.folds.row('feedback', installationId, 'widget', widgetIdOf(name)));
  }

  counts(widget = this.current) {
    return this.widget(widget).counts;
  }

  /** The blobs that nothing has removed. */
  get blobs(): string[] {
    const removed = new Set(this.folds.removedBlobs.map(({ name }) => name));
    return this.written.filter((name) => !removed.has(name));
  }

  rowIds(kind: string): string[] {
    return this.folds
      .rows('feedback', installationId)
      .filter((row) => row.kind === kind)
      .map(({ id }) => id);
  }
}

function idsOf(name: string, widget: string) {
  return { widgetId: widgetIdOf(widget), submissionId: submissionIdOf(name) };
}

/** The refusal's code of an outcome, or `done`. */
export function codeOf(outcome: ReturnType<FeedbackWorld['outcome']>): ResultCode {
  return outcome.kind === 'refused' ? outcome.refusal.code : 'done';
}
