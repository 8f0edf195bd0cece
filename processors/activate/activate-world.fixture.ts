import type { ChecklistConfiguration } from '../../schemas/activate/configuration.ts';
import {
  type ActivateRoot,
  activateRootSchema,
  type EnrollmentDocument,
  enrollmentDocumentSchema,
  RECORD_EVENT_OPERATION,
  type SubjectCohort,
  summaryDocumentSchema,
  summaryRowId,
} from '../../schemas/activate/documents.ts';
import { carriedOutcomes, carriedResultSchema } from '../../schemas/base/carried.ts';
import type { Actor } from '../../schemas/base/command.ts';
import { digestOf, keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import type { ErrorCode } from '../../schemas/base/error-codes.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import { canonicalJson, type JsonObject } from '../../schemas/base/json.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import { DEFAULT_LIMITS, type Limits } from '../../schemas/limits.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createActivateFold } from './fold.ts';

export const START = Date.UTC(2026, 10, 21, 12);
export const AGENT: Actor = { kind: 'agent', id: 'crd_agent' };
export const OWNER: Actor = {
  kind: 'user',
  id: idFrom('user', keyedDigest('test', 'owner')),
  organizationId: idFrom('organization', keyedDigest('test', 'one')),
};
const SYSTEM: Actor = { kind: 'system', id: 'sweeper' };

const bytes = (text: string) => keyedDigest('test', text);
export const installationId = idFrom('installation', bytes('one'));
export const checklistIdOf = (name: string) => idFrom('checklist', bytes(name));
export const enrollmentOf = (user: string, cohort: SubjectCohort = 'test', checklist = 'one') =>
  idFrom('enrollment', bytes(`${checklist} ${cohort} ${user}`));
export const ORIGIN = 'https://app.example';
export const KEYS = ['connect', 'import', 'invite'];

export const PREVIEW: Lifecycle = {
  version: 1,
  state: 'preview',
  plan: 'preview',
  expiresAt: START + 72 * HOUR_MS,
  products: ['svcactivate'],
};
export const CLAIMED = { state: 'active', plan: 'free', expiresAt: null } as const;

export function configuration(keys: readonly string[] = KEYS, origins = [ORIGIN]): ChecklistConfiguration {
  const steps = keys.map((key) => ({ key, label: key, description: '', actionPath: `/${key}` }));
  return { name: 'Getting started', allowedOrigins: origins, steps };
}

/** The refusal's code, or `done`. */
export type ResultCode = 'done' | ErrorCode;

export interface EventOptions {
  readonly cohort?: SubjectCohort;
  readonly checklist?: string;
  /** The idempotency key; another one every time unless told. */
  readonly key?: string;
}

/** An event of a user, with the step that it completes. */
export interface SentEvent extends EventOptions {
  readonly user: string;
  readonly step: string;
}

/** One installation's checklists in memory, with a step for everything that happens to them. */
export class ActivateWorld {
  readonly folds: FoldWorld;
  #version = 1;
  #events = 0;
  #lifecycle = PREVIEW;

  constructor(limits: Limits = DEFAULT_LIMITS) {
    this.folds = new FoldWorld([createActivateFold(limits)], START);
  }

  /** A preview with one checklist of these steps. */
  static withChecklist(limits: Limits = DEFAULT_LIMITS, keys: readonly string[] = KEYS): ActivateWorld {
    const world = new ActivateWorld(limits);
    world.send('lifecycle', PREVIEW);
    world.create('one', keys);
    return world;
  }

  get now(): number {
    return this.folds.now;
  }

  set now(now: number) {
    this.folds.now = now;
  }

  outcome(type: string, input: JsonObject, actor = AGENT, key?: string) {
    const sent = { topic: 'activate', aggregate: installationId, type, input, actor } as const;
    return this.folds.send(key === undefined ? sent : { ...sent, key });
  }

  send(type: string, input: JsonObject, actor = AGENT, key?: string): ResultCode {
    const outcome = this.outcome(type, input, actor, key);
    return outcome.kind === 'refused' ? outcome.refusal.code : 'done';
  }

  /** Sends the workspace's next lifecycle record. */
  lifecycle(changes: Partial<Lifecycle>): ResultCode {
    this.#version += 1;
    this.#lifecycle = { ...this.#lifecycle, ...changes, version: this.#version };
    return this.send('lifecycle', this.#lifecycle);
  }

  claim(): ResultCode {
    return this.lifecycle(CLAIMED);
  }

  create(name: string, keys: readonly string[] = KEYS, key = `create ${name}`): ResultCode {
    const input = { checklistId: checklistIdOf(name), configuration: configuration(keys) };
    return this.send('create-checklist', input, AGENT, key);
  }

  revise(expectedRevision: number, keys: readonly string[], origins = [ORIGIN], name = 'one') {
    return this.outcome('revise-checklist', {
      checklistId: checklistIdOf(name),
      expectedRevision,
      configuration: configuration(keys, origins),
    });
  }

  /** The command of an event; the operation is that of every event. */
  #eventOf({ user, step, cohort = 'test', checklist = 'one', key }: SentEvent) {
    this.#events += 1;
    const input = {
      checklistId: checklistIdOf(checklist),
      cohort,
      enrollment: enrollmentOf(user, cohort, checklist),
      eventKey: step,
      eventId: idFrom('event', bytes(`event ${this.#events}`)),
    };
    // Like the gateway's, the digest of a repeat leaves out the fields that each request generates.
    const { eventId: _made, ...asked } = input;
    return { input, asked, key: key ?? `outbox ${this.#events}` };
  }

  eventOutcome(user: string, eventKey: string, options: EventOptions = {}) {
    const { input, asked, key } = this.#eventOf({ ...options, user, step: eventKey });
    return this.folds.send({
      ...{ topic: 'activate', aggregate: installationId, type: 'record-event', actor: AGENT },
      ...{ operation: RECORD_EVENT_OPERATION, input, digestInput: asked, key },
    });
  }

  /** Sends events of one checklist in one record, and returns the outcome of each. */
  eventOutcomes(checklist: string, events: readonly Omit<SentEvent, 'checklist'>[]) {
    const sent = events.map((event) => {
      const { input, asked, key } = this.#eventOf({ ...event, checklist });
      const { checklistId: _shared, ...other } = input;
      return { ...other, key, inputDigest: digestOf(asked) };
    });
    const input = { checklistId: checklistIdOf(checklist), events: sent };
    const outcome = this.outcome('record-events', input);
    if (outcome.kind !== 'done') throw new Error(`sending events: ${canonicalJson(outcome)}`);
    return carriedOutcomes(carriedResultSchema.parse(outcome.result));
  }

  event(user: string, eventKey: string, options: EventOptions = {}): ResultCode {
    const outcome = this.eventOutcome(user, eventKey, options);
    return outcome.kind === 'refused' ? outcome.refusal.code : 'done';
  }

  /** Sends an event that has to be accepted, and returns its result. */
  accepted(user: string, eventKey: string, options: EventOptions = {}): JsonObject {
    const outcome = this.eventOutcome(user, eventKey, options);
    if (outcome.kind !== 'done') throw new Error(`sending an event: ${canonicalJson(outcome)}`);
    return outcome.result;
  }

  /** Issues a session; its token's digest is made of its name. */
  session(user: string, name: string, { cohort = 'test', checklist = 'one' }: EventOptions = {}): ResultCode {
    return this.send('issue-session', {
      checklistId: checklistIdOf(checklist),
      cohort,
      enrollment: enrollmentOf(user, cohort, checklist),
      origin: ORIGIN,
      digest: sha256Hex(name),
    });
  }

  erase(user: string, { cohort = 'test', checklist = 'one' }: EventOptions = {}, actor = OWNER) {
    const enrollment = enrollmentOf(user, cohort, checklist);
    return this.outcome(
      'erase-subject',
      { checklistId: checklistIdOf(checklist), cohort, enrollment },
      actor,
    );
  }

  tidy(user: string): ResultCode {
    return this.send('tidy-sessions', { enrollment: enrollmentOf(user) }, SYSTEM);
  }

  /** Returns the target of a session token's index entry, or null. */
  pointer(name: string): JsonObject | null {
    return this.folds.digestIndex.get(`progress-token:${sha256Hex(name)}`)?.target ?? null;
  }

  enrollment(user: string, cohort: SubjectCohort = 'test', checklist = 'one'): EnrollmentDocument | null {
    const row = this.row('enrollment', enrollmentOf(user, cohort, checklist));
    return row === null ? null : enrollmentDocumentSchema.parse(row);
  }

  /** The milestones that a subject has, in the order in which it reached them. */
  milestones(user: string): string[] | null {
    return this.enrollment(user)?.milestones.map(([step]) => step) ?? null;
  }

  /** `enrollments`, `complete`, `acceptedEvents` and `completed` by step. */
  summary(revision = 1, cohort: SubjectCohort = 'test', checklist = 'one') {
    const row = this.row('summary', summaryRowId(checklistIdOf(checklist), revision, cohort));
    return row === null ? null : summaryDocumentSchema.parse(row);
  }

  root(): ActivateRoot {
    return activateRootSchema.parse(this.folds.root('activate', installationId));
  }

  row(kind: string, id: string): JsonObject | null {
    return this.folds.row('activate', installationId, kind, id);
  }

  /** Kinds and ids of all rows that are stored, but for those with which the runtime follows its own work. */
  rows(): { readonly kind: string; readonly id: string; readonly document: JsonObject }[] {
    const [aggregate] = JSON.parse(this.folds.documents());
    return (aggregate?.put ?? []).filter(
      ({ kind }: { kind: string }) => !['recent', 'pending'].includes(kind),
    );
  }

  /** Returns the number of stored rows of a kind. */
  count(kind: string): number {
    return this.rows().filter((row) => row.kind === kind).length;
  }
}
