import { describe, expect, it } from 'vitest';
import type { ProgressSession } from '../../schemas/activate/documents.ts';
import { sessionsDocumentSchema } from '../../schemas/activate/documents.ts';
import { activeSessions } from '../../schemas/activate/progress.ts';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { HOUR_MS, MINUTE_MS } from '../../schemas/base/time.ts';
import {
  ActivateWorld,
  checklistIdOf,
  enrollmentOf,
  installationId,
  START,
} from './activate-world.fixture.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five'];
const LIFE_MS = 15 * MINUTE_MS;

function active(world: ActivateWorld, user = 'ada'): string[] {
  const row = world.row('sessions', enrollmentOf(user));
  const stored = row === null ? null : sessionsDocumentSchema.parse(row);
  const sessions: ProgressSession[] = activeSessions(stored, world.now);
  const names = [...NAMES, 'six', 'seven'];
  return sessions.map(({ digest }) => names.find((name) => sha256Hex(name) === digest) ?? 'unknown');
}

describe('a session', () => {
  it('holds for fifteen minutes, and enrolls no subject', () => {
    const world = ActivateWorld.withChecklist();
    world.session('ada', 'one');
    expect(world.pointer('one')).toEqual({
      installationId,
      checklistId: checklistIdOf('one'),
      enrollment: enrollmentOf('ada'),
    });
    world.now = START + LIFE_MS - 1;
    expect(active(world)).toEqual(['one']);
    world.now = START + LIFE_MS;
    expect(active(world)).toEqual([]);
    expect(world.enrollment('ada')).toBeNull();
    expect(world.root().enrollmentsMade).toBe(0);
  });

  it('is one of five of its subject: the sixth ends the oldest', () => {
    const world = ActivateWorld.withChecklist();
    for (const name of NAMES) world.session('ada', name);
    world.session('grace', 'seven');
    expect(active(world)).toEqual(NAMES);
    world.session('ada', 'six');
    expect(active(world)).toEqual([...NAMES.slice(1), 'six']);
    expect([world.pointer('one'), world.pointer('two')]).toMatchObject([null, {}]);
    expect(active(world, 'grace')).toEqual(['seven']);
  });

  it('ends no other one where older ones have ended by themselves', () => {
    const world = ActivateWorld.withChecklist();
    world.session('ada', 'one');
    world.now += LIFE_MS;
    for (const name of [...NAMES.slice(1), 'six']) world.session('ada', name);
    expect(active(world)).toEqual([...NAMES.slice(1), 'six']);
  });

  it('is told to end with the preview, whose end a claim lifts', () => {
    const world = ActivateWorld.withChecklist();
    world.now = START + 72 * HOUR_MS - MINUTE_MS;
    const input = {
      checklistId: checklistIdOf('one'),
      cohort: 'test',
      enrollment: enrollmentOf('ada'),
      origin: 'https://app.example',
    };
    const issue = (name: string) => world.outcome('issue-session', { ...input, digest: sha256Hex(name) });
    expect(issue('one')).toMatchObject({ result: { expiresAt: START + 72 * HOUR_MS } });
    world.claim();
    expect(issue('two')).toMatchObject({ result: { expiresAt: world.now + LIFE_MS } });
  });

  it('outlives a pause, and counts on while it lasts', () => {
    const world = ActivateWorld.withChecklist();
    world.claim();
    world.session('ada', 'one');
    world.lifecycle({ state: 'paused' });
    world.now += MINUTE_MS;
    world.lifecycle({ state: 'active' });
    world.session('ada', 'two');
    expect(active(world)).toEqual(['one', 'two']);
    expect(world.pointer('one')).not.toBeNull();
    world.now = START + LIFE_MS;
    expect(active(world)).toEqual(['two']);
  });

  it('is swept once it has ended, and not before', () => {
    const world = ActivateWorld.withChecklist();
    world.session('ada', 'one');
    world.now += MINUTE_MS;
    world.session('ada', 'two');
    world.tidy('ada');
    expect(active(world)).toEqual(['one', 'two']);
    world.now = START + LIFE_MS;
    world.tidy('ada');
    expect(world.row('sessions', enrollmentOf('ada'))).toMatchObject({
      sessions: [{ digest: sha256Hex('two') }],
    });
    world.now += MINUTE_MS;
    world.tidy('ada');
    expect(world.count('sessions')).toBe(0);
    world.tidy('ada');
    expect(world.count('sessions')).toBe(0);
  });
});
