import { describe, expect, it } from 'vitest';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import type { CommandTopicName } from '../../topics/catalogue.ts';
import { createActivateFold } from '../activate/fold.ts';
import { createChecksFold } from '../checks/fold.ts';
import { createFeedbackFold } from '../feedback/fold.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createImportsFold } from '../imports/fold.ts';
import type { AnyFold } from '../runtime/fold/fold.ts';
import { createWorkspacesFold } from './fold.ts';

const START = Date.UTC(2026, 10, 21, 12);
const bytes = (text: string) => keyedDigest('test', text);
const installationId = idFrom('installation', bytes('one'));
const origin = 'https://shop.example';

const CREATE = {
  name: 'Orders',
  cohort: 'external',
  products: ['svcactivate', 'svcimport'],
  provisionDigest: sha256Hex('provision token'),
  credential: {
    credentialId: idFrom('credential', bytes('first')),
    number: 1,
    digest: sha256Hex('first'),
    lastFour: 'abcd',
  },
};

const NAME_ORIGIN = { originId: idFrom('origin', bytes('one')), origin, token: 'a'.repeat(24) };
const CREATE_WIDGET = { widgetId: idFrom('widget', bytes('one')), origin };
const CREATE_CHECKLIST = {
  checklistId: idFrom('checklist', bytes('one')),
  configuration: {
    name: 'First steps',
    allowedOrigins: [],
    steps: [{ key: 'one', label: 'One', description: 'The first.', actionPath: '/' }],
  },
};
const CONFIGURE_SCHEMA = {
  schemaId: idFrom('schema', bytes('one')),
  configuration: {
    name: 'Orders',
    allowedOrigins: [origin],
    schema: {
      version: 'svcimport.schema.v1',
      revision: 1,
      fields: [{ key: 'id', type: 'text', required: true, maxLength: 10 }],
    },
  },
};

interface Younger {
  readonly topic: CommandTopicName;
  readonly fold: AnyFold;
  readonly type: string;
  readonly input: JsonObject;
}

const YOUNGER: readonly Younger[] = [
  { topic: 'checks', fold: createChecksFold(DEFAULT_LIMITS), type: 'create-origin', input: NAME_ORIGIN },
  {
    topic: 'feedback',
    fold: createFeedbackFold(DEFAULT_LIMITS),
    type: 'create-widget',
    input: CREATE_WIDGET,
  },
  {
    topic: 'activate',
    fold: createActivateFold(DEFAULT_LIMITS),
    type: 'create-checklist',
    input: CREATE_CHECKLIST,
  },
  {
    topic: 'imports',
    fold: createImportsFold(DEFAULT_LIMITS),
    type: 'create-schema',
    input: CONFIGURE_SCHEMA,
  },
];

describe.each(YOUNGER)(
  'the product of $topic in a workspace that is older',
  ({ topic, fold, type, input }) => {
    const send = (world: FoldWorld) => {
      const actor = { kind: 'agent', id: 'crd_agent' } as const;
      return world.send({ topic, aggregate: installationId, type, input, actor, key: 'one' });
    };
    /** The lifecycle of the creation went to a topic that no fold reads, and stays there. */
    const worldBefore = () => {
      const world = new FoldWorld([createWorkspacesFold(DEFAULT_LIMITS)], START);
      world.send({ topic: 'workspaces', aggregate: installationId, type: 'create', input: CREATE });
      world.add(fold);
      return world;
    };

    it('refuses the first command with 503, and has learnt the workspace for the repeat', () => {
      const world = worldBefore();
      expect(send(world)).toMatchObject({ kind: 'refused', refusal: { code: 'unavailable' } });
      expect(send(world)).toMatchObject({ kind: 'done' });
    });

    it('learns that the preview has ended', () => {
      const world = worldBefore();
      world.now += 73 * HOUR_MS;
      send(world);
      expect(send(world)).toMatchObject({ kind: 'refused', refusal: { code: 'expired' } });
    });

    it('learns nothing of a workspace that does not exist', () => {
      const world = new FoldWorld([createWorkspacesFold(DEFAULT_LIMITS), fold], START);
      for (let repeat = 0; repeat < 2; repeat += 1) {
        expect(send(world)).toMatchObject({ kind: 'refused', refusal: { code: 'unavailable' } });
      }
      expect(world.root('workspaces', installationId)).toBeNull();
    });
  },
);
