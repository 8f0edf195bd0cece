import {
  AGENT,
  CLAIMED,
  installationId,
  OWNER,
  PREVIEW,
  SYSTEM,
  submissionIdOf,
  VISITOR,
  widgetIdOf,
} from '../../../processors/feedback/feedback-world.fixture.ts';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { contentBlob } from '../../../schemas/feedback/blobs.ts';
import { SUBMISSION_STATES } from '../../../schemas/feedback/documents.ts';
import type { Intent } from './client.fixture.ts';
import type { World } from './world.fixture.ts';

export const WIDGET = widgetIdOf('one');
/** A widget that replaces the other one if it is asked for before the first submission. */
export const OTHER_WIDGET = widgetIdOf('two');
/** Few, so that visitors, and people at the inbox, meet at the same submissions. */
const SUBMISSIONS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
const OTHER = { widgetId: OTHER_WIDGET, origin: 'https://blog.example' };
const INTENTS = { least: 15, most: 40 } as const;
const CONTENT_NAME_CHARACTERS = 32;

/** Draws what visitors, an agent and an owner do with one widget, in the order in which it is first asked for. */
export function drawFeedbackIntents(world: World): readonly Intent[] {
  const { random } = world;
  const created = { widgetId: WIDGET, origin: 'https://app.example' };
  const intents = [lifecycle(1, {}), intent('create-widget', created, AGENT, 'create')];
  const count = random.between(INTENTS.least, INTENTS.most);
  let version = 1;
  for (let number = 1; number <= count; number += 1) {
    const drawn = random.fraction();
    const ids = { widgetId: WIDGET, submissionId: submissionIdOf(random.pick(SUBMISSIONS)) };
    if (drawn < 0.04) intents.push(intent('create-widget', OTHER, AGENT, 'create other'));
    else if (drawn < 0.1) {
      version += 1;
      intents.push(lifecycle(version, random.chance(0.3) ? { ...CLAIMED, state: 'paused' } : CLAIMED));
    } else if (drawn < 0.2) {
      const state = random.pick(SUBMISSION_STATES);
      intents.push(intent('move-submission', { ...ids, state }, OWNER));
    } else if (drawn < 0.3) intents.push(intent('remove-submission', ids, OWNER));
    else if (drawn < 0.4) intents.push(intent('verify-submission', ids, AGENT));
    else intents.push(submission(world, ids));
  }
  return intents;
}

/** Each request writes the content under a new name, as gateways do. */
function submission(world: World, ids: JsonObject): Intent {
  const { random, blobs } = world;
  const digest = sha256Hex(random.chance(0.8) ? 'a message' : 'another message');
  const prepare = () => {
    const blob = Buffer.from(random.bytes(CONTENT_NAME_CHARACTERS / 2)).toString('hex');
    blobs.store(contentBlob(installationId, WIDGET, blob), Buffer.from('{}'));
    return { blob };
  };
  const input = { ...ids, digest, held: random.chance(0.2) };
  return { ...intent('receive-submission', input, VISITOR), prepare };
}

function lifecycle(version: number, changes: object): Intent {
  return intent('lifecycle', { ...PREVIEW, ...changes, version }, SYSTEM);
}

function intent(
  type: string,
  input: JsonObject,
  actor: NonNullable<Intent['actor']>,
  key: string | null = null,
): Intent {
  return { topic: 'feedback', aggregate: installationId, type, input, key, repeatable: true, actor };
}
