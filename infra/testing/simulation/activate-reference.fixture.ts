import { Oracle } from '../../../processors/activate/oracle.fixture.ts';
import { checklistConfigurationSchema } from '../../../schemas/activate/configuration.ts';
import { envelopeSchema } from '../../../schemas/base/command.ts';
import { canonicalJson, type JsonObject } from '../../../schemas/base/json.ts';
import { lifecycleSchema } from '../../../schemas/workspaces/lifecycle.ts';
import type { LogRecord } from '../../../topics/ports/log.ts';
import { checklistOf, subjectOf } from './activate-intents.fixture.ts';
import type { Attempt, Observed } from './client.fixture.ts';

/** The allowance for the skew of clocks that the documentation states, in milliseconds. */
const TOLERANCE_MS = 2_000;

type Envelope = ReturnType<typeof envelopeSchema.parse>;

interface DecidedRecord extends Pick<Envelope, 'requestId' | 'type' | 'key' | 'input'> {
  /** The answer for its client; null: it came too late and changed nothing. */
  readonly decision: string | null;
}

/** The oracle's answer to every record of a log, one after the other. */
export class ActivateReference {
  readonly oracle: Oracle;
  readonly decidedRecords: DecidedRecord[] = [];
  readonly #remembered = new Map<string, { readonly input: string; readonly decision: string }>();
  #version = 0;

  constructor(records: readonly LogRecord[]) {
    // An aggregate's time begins with its first record, by the clock of the log.
    this.oracle = new Oracle(records[0]?.appendedAt ?? 0);
    this.oracle.state = 'unknown';
    for (const record of records) this.#add(record, envelopeSchema.parse(JSON.parse(record.value)));
  }

  /** True if a client's answer is the decision about its record, or about another one with its key. */
  explains({ intent, requestId, observed }: Attempt): boolean {
    if (observed === null) return false;
    if (observed.kind === 'unknown') return true;
    const word = wordOf(observed);
    return this.decidedRecords.some(
      (one) =>
        one.decision === word &&
        (one.requestId === requestId ||
          (intent.key !== null &&
            observed.kind === 'done' &&
            one.type === intent.type &&
            one.key === intent.key &&
            canonicalJson(one.input) === canonicalJson(intent.input))),
    );
  }

  #add(record: LogRecord, envelope: Envelope): void {
    const { oracle } = this;
    oracle.now = Math.max(oracle.now, record.appendedAt);
    const tooLate = envelope.notAfter !== null && record.appendedAt > envelope.notAfter + TOLERANCE_MS;
    const { requestId, type, key, input } = envelope;
    this.decidedRecords.push({
      requestId,
      type,
      key,
      input,
      decision: tooLate ? null : this.#decide(envelope),
    });
  }

  #decide({ type, key, input }: Envelope): string {
    switch (type) {
      case 'lifecycle':
        this.#lifecycle(input);
        return done({});
      case 'create-checklist':
        return this.#once(type, key, input, () => this.oracle.create(checklistOf(input), keysOf(input)));
      case 'revise-checklist':
        return this.#once(type, key, input, () =>
          this.oracle.revise(checklistOf(input), Number(input['expectedRevision']), keysOf(input)),
        );
      case 'record-event': {
        const { eventKey, eventId } = input;
        const answer = this.oracle.event(subjectOf(input), String(eventKey), key, String(eventId));
        return typeof answer === 'string' ? answer : done(answer);
      }
      case 'issue-session': {
        const said = this.oracle.issue(subjectOf(input), String(input['digest']));
        return said === 'done' ? done({}) : said;
      }
      case 'erase-subject': {
        const erased = this.oracle.erase(subjectOf(input));
        return typeof erased === 'boolean' ? done({ erased }) : erased;
      }
      default:
        throw new Error(`judging the command ${type}`);
    }
  }

  #lifecycle(input: JsonObject): void {
    const { version, state, plan } = lifecycleSchema.parse(input);
    if (version <= this.#version || state === 'erased') return;
    this.#version = version;
    this.oracle.become(state, plan);
  }

  /** Configurations are remembered by their key, for as long as their checklist is there. */
  #once(type: string, key: string, input: JsonObject, decide: () => string | number): string {
    const known = this.#remembered.get(`${type}:${key}`);
    if (known !== undefined) {
      return known.input === canonicalJson(input) ? known.decision : 'idempotency_conflict';
    }
    const said = decide();
    if (typeof said === 'string' && said !== 'done') return said;
    const decision = done({ revision: said === 'done' ? 1 : said });
    this.#remembered.set(`${type}:${key}`, { input: canonicalJson(input), decision });
    return decision;
  }
}

/** A client's answer, in the members that the oracle decides. */
function wordOf(observed: Observed): string {
  if (observed.kind !== 'done') return observed.kind === 'refused' ? observed.refusal.code : observed.kind;
  const { erasedAt: _at, createdAt: _made, checklistId: _id, expiresAt: _ends, ...rest } = observed.result;
  const { digest: _token, ...told } = rest;
  return done(told);
}

function done(told: object): string {
  return `done ${canonicalJson(told)}`;
}

function keysOf(input: JsonObject): string[] {
  return checklistConfigurationSchema.parse(input['configuration']).steps.map(({ key }) => key);
}
