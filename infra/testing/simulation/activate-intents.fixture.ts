import {
  AGENT,
  CLAIMED,
  checklistIdOf,
  configuration,
  enrollmentOf,
  installationId,
  ORIGIN,
  OWNER,
  PREVIEW,
} from '../../../processors/activate/activate-world.fixture.ts';
import type { Subject } from '../../../processors/activate/oracle.fixture.ts';
import type { SubjectCohort } from '../../../schemas/activate/documents.ts';
import { keyedDigest, sha256Hex } from '../../../schemas/base/digest.ts';
import { idFrom } from '../../../schemas/base/ids.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import type { Intent } from './client.fixture.ts';
import type { Random } from './random.fixture.ts';

export const CHECKLISTS = ['one', 'two', 'three'] as const;
export const USERS = ['ada', 'grace', 'linus'] as const;
const STEPS = ['connect', 'import', 'invite'] as const;
/** Few, so that keys are used again, for the same and for something else. */
const SHARED_KEYS = 4;
const INTENTS = { least: 20, most: 45 } as const;

/** Draws what a workspace and its customer do with checklists in one run, in the order in which it is first asked for. */
export function drawActivateIntents(random: Random): readonly Intent[] {
  const intents: Intent[] = [lifecycle(1, {}), create('one', STEPS, 'create one')];
  const count = random.between(INTENTS.least, INTENTS.most);
  let version = 1;
  // An id is drawn for one creation only, as gateways draw them.
  const uncreated: string[] = CHECKLISTS.slice(1);
  for (let number = 1; number <= count; number += 1) {
    const drawn = random.fraction();
    if (drawn < 0.05) {
      version += 1;
      intents.push(lifecycle(version, random.chance(0.3) ? { ...CLAIMED, state: 'paused' } : CLAIMED));
    } else if (drawn < 0.12 && uncreated.length > 0) {
      intents.push(create(uncreated.shift() ?? '', drawSteps(random), `create ${number}`));
    } else intents.push(draw(random, number, drawn));
  }
  return intents;
}

function draw(random: Random, number: number, drawn: number): Intent {
  const subject: Subject = {
    checklist: random.chance(0.8) ? 'one' : random.pick(CHECKLISTS),
    cohort: random.chance(0.8) ? 'test' : 'live',
    user: random.pick(USERS),
  };
  if (drawn < 0.17) {
    return revise(subject.checklist, random.between(1, 3), drawSteps(random), `revise ${number}`);
  }
  if (drawn < 0.25) return session(subject, `session ${number}`);
  if (drawn < 0.32) return intent('erase-subject', subjectInput(subject), null, { actor: OWNER });
  const key = random.chance(0.4) ? `shared ${random.between(1, SHARED_KEYS)}` : `record ${number}`;
  return event(subject, random.pick(STEPS), key);
}

function drawSteps(random: Random): readonly string[] {
  const steps = STEPS.filter(() => random.chance(0.6));
  return steps.length === 0 ? [random.pick(STEPS)] : steps;
}

function lifecycle(version: number, changes: object): Intent {
  return intent('lifecycle', { ...PREVIEW, ...changes, version }, null);
}

function create(name: string, keys: readonly string[], key: string): Intent {
  const input = { checklistId: checklistIdOf(name), configuration: configuration(keys) };
  return intent('create-checklist', input, key);
}

function revise(name: string, expectedRevision: number, keys: readonly string[], key: string): Intent {
  const checklistId = checklistIdOf(name);
  const input = { checklistId, expectedRevision, configuration: configuration(keys) };
  return intent('revise-checklist', input, key);
}

function event(subject: Subject, eventKey: string, key: string): Intent {
  // The same event with the same key is the same intent, in any draw.
  const eventId = idFrom('event', keyedDigest('simulation', JSON.stringify([subject, eventKey, key])));
  return intent('record-event', { ...subjectInput(subject), eventKey, eventId }, key);
}

/** Another session every time: a client that does not know the answer asks for another one. */
function session(subject: Subject, name: string): Intent {
  const input = { ...subjectInput(subject), origin: ORIGIN, digest: sha256Hex(name) };
  return intent('issue-session', input, null, { repeatable: false });
}

function subjectInput({ checklist, cohort, user }: Subject) {
  const enrollment = enrollmentOf(user, cohort, checklist);
  return { checklistId: checklistIdOf(checklist), cohort, enrollment };
}

function intent(type: string, input: JsonObject, key: string | null, more: Partial<Intent> = {}): Intent {
  const common = { topic: 'activate', aggregate: installationId, repeatable: true, actor: AGENT } as const;
  return { ...common, type, input, key, ...more };
}

/** The subject that a command's input names. */
export function subjectOf(input: JsonObject): Subject {
  for (const checklist of CHECKLISTS) {
    for (const user of USERS) {
      const cohort = input['cohort'] as SubjectCohort;
      if (enrollmentOf(user, cohort, checklist) === input['enrollment']) return { checklist, cohort, user };
    }
  }
  throw new Error('naming a subject that was not drawn');
}

/** The name of the checklist that a command's input names. */
export function checklistOf(input: JsonObject): string {
  const name = CHECKLISTS.find((each) => checklistIdOf(each) === input['checklistId']);
  if (name === undefined) throw new Error('naming a checklist that was not drawn');
  return name;
}
