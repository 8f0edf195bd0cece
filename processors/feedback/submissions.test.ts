import { beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { DAY_MS, HOUR_MS } from '../../schemas/base/time.ts';
import { mergeLimits } from '../../schemas/limits.ts';
import {
  AGENT,
  CLAIMED,
  codeOf,
  FeedbackWorld,
  installationId,
  START,
  submissionIdOf,
  widgetIdOf,
} from './feedback-world.fixture.ts';

let world: FeedbackWorld;

beforeEach(() => {
  world = FeedbackWorld.withWidget();
});

describe('create-widget', () => {
  it('points from the id of the widget to its workspace', () => {
    expect(world.target('one')).toEqual({ installationId, widgetId: widgetIdOf('one') });
  });

  it('makes one in a preview and five on Free, ever', () => {
    world.receive('a', { held: true });
    expect(world.create('two')).toBe('limit_reached');
    world.lifecycle(CLAIMED);
    const made = ['two', 'three', 'four', 'five', 'six'].map((name) => world.create(name));
    expect(made).toEqual(['done', 'done', 'done', 'done', 'limit_reached']);
    expect(world.root.widgetsMade).toBe(5);
  });

  it('replaces that of a preview by one of another origin until a submission arrives', () => {
    const input = { widgetId: widgetIdOf('two'), origin: 'https://two.example' };
    expect(world.outcome('create-widget', input, AGENT, 'create two')).toMatchObject({
      result: { widgetId: widgetIdOf('two'), replacedOrigin: 'https://one.example' },
    });
    expect([world.target('one'), world.target('two')?.['widgetId']]).toEqual([null, widgetIdOf('two')]);
    expect(codeOf(world.receive('a', { widget: 'one' }))).toBe('not_found');
    const again = { ...input, widgetId: widgetIdOf('three') };
    expect(world.outcome('create-widget', again, AGENT)).toMatchObject({
      result: { widgetId: widgetIdOf('two') },
    });
    expect(world.create('one')).toBe('done');
    expect(world.rowIds('widget')).toEqual([widgetIdOf('one')]);
    expect(world.root.widgetsMade).toBe(1);
  });
});

describe('receive-submission', () => {
  it('stores a submission once, and removes the content of each repeat', () => {
    const first = world.receive('a');
    world.folds.now += HOUR_MS;
    expect(world.receive('a')).toEqual(first);
    expect(world.blobs).toEqual([world.written[0]]);
    expect(world.root.submissionsMade).toBe(1);
    expect(world.counts()).toEqual({ open: 1, done: 0, held: 0 });
  });

  it('refuses other content with the same id, and keeps the first', () => {
    world.receive('a');
    expect(codeOf(world.receive('a', { content: 'other' }))).toBe('idempotency_conflict');
    expect(world.blobs).toEqual([world.written[0]]);
  });

  it('keeps what a program may have sent apart', () => {
    world.receive('a', { held: true });
    expect(world.submission('a')?.state).toBe('held');
    expect(world.counts()).toEqual({ open: 0, done: 0, held: 1 });
    expect(codeOf(world.verify('a'))).toBe('not_found');
    expect(world.move('a', 'open')).toBe('done');
    expect(codeOf(world.verify('a'))).toBe('done');
  });

  it.each<[string, () => void, string]>([
    ['a paused workspace', () => world.lifecycle({ ...CLAIMED, state: 'paused' }), 'workspace_paused'],
    [
      'a workspace that was disconnected',
      () => world.lifecycle({ state: 'disconnected' }),
      'workspace_disconnected',
    ],
    ['a preview that has ended', () => world.advance(72 * HOUR_MS), 'expired'],
  ])('refuses a submission to %s, and removes its content', (_what, change, code) => {
    change();
    expect(codeOf(world.receive('a'))).toBe(code);
    expect(world.blobs).toEqual([]);
    expect(world.root.submissionsMade).toBe(0);
  });

  it('refuses a submission to a widget that does not exist, and removes its content', () => {
    expect(codeOf(world.receive('a', { widget: 'none' }))).toBe('not_found');
    expect(world.blobs).toEqual([]);
  });

  it('stores as many as the plan allows, held ones included, in a preview and in each month of Free', () => {
    const plans = { preview: { feedbackSubmissions: 2 }, free: { feedbackSubmissions: 3 } };
    world = FeedbackWorld.withWidget(mergeLimits({ plans }));
    const results = ['a', 'b', 'c'].map((name, index) => codeOf(world.receive(name, { held: index === 0 })));
    expect(results).toEqual(['done', 'done', 'limit_reached']);
    world.lifecycle(CLAIMED);
    // The first month of a claimed workspace begins with the use of the preview.
    expect(codeOf(world.receive('c'))).toBe('done');
    const refused = world.receive('d');
    expect(refused).toMatchObject({
      kind: 'refused',
      refusal: { code: 'limit_reached', retryAfterSeconds: (Date.UTC(2026, 11, 1) - START) / 1_000 },
    });
    world.folds.now = Date.UTC(2026, 11, 1);
    expect(codeOf(world.receive('d'))).toBe('done');
    // A repeat beats the quota.
    expect(['e', 'f', 'g'].map((name) => codeOf(world.receive(name)))).toEqual([
      'done',
      'done',
      'limit_reached',
    ]);
    expect(codeOf(world.receive('a', { held: true }))).toBe('done');
  });
});

describe('held submissions', () => {
  it('take a part of what the plan allows, so that the rest is for people', () => {
    const plans = {
      preview: { feedbackSubmissions: 4, feedbackHeld: 2 },
      free: { feedbackSubmissions: 5, feedbackHeld: 3 },
    };
    world = FeedbackWorld.withWidget(mergeLimits({ plans }));
    const receive = (name: string, held: boolean) => codeOf(world.receive(name, { held }));
    expect(['a', 'b', 'c'].map((name) => receive(name, true))).toEqual(['done', 'done', 'limit_reached']);
    expect(world.blobs).toHaveLength(2);
    expect(receive('c', false)).toBe('done');
    world.lifecycle(CLAIMED);
    expect(['d', 'e'].map((name) => receive(name, true))).toEqual(['done', 'limit_reached']);
    world.folds.now = Date.UTC(2026, 11, 1);
    expect(receive('e', true)).toBe('done');
  });

  it('are refused in the words of a plan that is used up, so that no program hears that it was recognized', () => {
    const refusedAfter = (plans: { preview: object }, held: boolean) => {
      world = FeedbackWorld.withWidget(mergeLimits({ plans }));
      world.receive('a', { held });
      world.receive('b', { held });
      return world.receive('c', { held });
    };
    const held = refusedAfter({ preview: { feedbackSubmissions: 2, feedbackHeld: 1 } }, true);
    expect(held).toMatchObject({ kind: 'refused' });
    expect(held).toEqual(refusedAfter({ preview: { feedbackSubmissions: 2 } }, false));
  });
});

describe('verify-submission', () => {
  it('becomes the result that a claim can rest on', () => {
    world.receive('a');
    const verified = world.verify('a');
    expect(verified).toEqual({ kind: 'done', result: { receivedAt: START } });
    expect(world.root.lastVerified?.at).toBe(START);
    expect(codeOf(world.verify('none'))).toBe('not_found');
  });

  it('is remembered by its widget, also after the submission was erased', () => {
    world.lifecycle(CLAIMED);
    world.create('two');
    world.receive('a');
    world.verify('a');
    world.remove('a');
    expect(world.widget('one').verified).toEqual({ submissionId: submissionIdOf('a'), at: START });
    expect(world.widget('two').verified).toBeUndefined();
  });
});

describe('the inbox', () => {
  it('moves a submission between its states', () => {
    world.receive('a');
    expect(world.move('a', 'done')).toBe('done');
    expect(world.move('a', 'done')).toBe('done');
    expect(world.counts()).toEqual({ open: 0, done: 1, held: 0 });
    expect(world.rowIds('inbox')).toHaveLength(1);
    expect(world.rowIds('inbox')[0]).toContain('/done/');
    expect(world.move('a', 'open', { actor: { kind: 'agent', id: 'crd_agent' } })).toBe('forbidden');
  });

  it('refuses a move from a state that the submission has left', () => {
    world.receive('a');
    world.move('a', 'held');
    expect(world.move('a', 'done', { from: 'open' })).toBe('state_conflict');
    expect(world.submission('a')?.state).toBe('held');
    expect(world.move('a', 'held', { from: 'open' })).toBe('done');
    expect(world.move('a', 'done', { from: 'held' })).toBe('done');
  });

  it('erases a submission with its content, also of a workspace that was disconnected', () => {
    world.receive('a');
    world.lifecycle({ state: 'disconnected' });
    expect(world.remove('a')).toBe('done');
    expect(world.remove('a')).toBe('not_found');
    expect([world.blobs, world.rowIds('submission'), world.rowIds('inbox')]).toEqual([[], [], []]);
    expect(world.counts()).toEqual({ open: 0, done: 0, held: 0 });
    expect(world.root.submissionsMade).toBe(1);
  });
});

describe('the end of a submission', () => {
  it('comes with the end of the preview, and a claim lifts that', () => {
    world.receive('a');
    world.folds.now = START + 72 * HOUR_MS - 1;
    world.tidy('a');
    expect(world.submission('a')).not.toBeNull();
    world.lifecycle(CLAIMED);
    world.folds.now = START + 90 * DAY_MS - 1;
    world.tidy('a');
    expect(codeOf(world.verify('a'))).toBe('done');
    world.folds.now = START + 90 * DAY_MS;
    expect(codeOf(world.verify('a'))).toBe('not_found');
    expect(world.move('a', 'done')).toBe('not_found');
    world.tidy('a');
    expect([world.submission('a'), world.blobs]).toEqual([null, []]);
  });

  it('removes everything with the workspace', () => {
    world.receive('a');
    world.lifecycle({ state: 'erased', plan: 'preview', expiresAt: null });
    const erase = { rows: world.rowIds('widget').map((id) => ({ kind: 'widget', id })) };
    world.send('erase-rows', erase, { kind: 'system', id: 'eraser' });
    expect(world.folds.removedGroups).toEqual([{ owner: installationId, group: widgetIdOf('one') }]);
    expect(world.folds.digestIndex.get(`feedback-widget:${sha256Hex(widgetIdOf('one'))}`)?.target).toBeNull();
  });
});
