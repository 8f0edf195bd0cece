import { beforeEach, describe, expect, it } from 'vitest';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { PERSON_BLOB_GROUP, type PersonDocument } from '../../schemas/people/documents.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createOrganizationsFold } from '../organizations/fold.ts';
import { createPeopleFold } from './fold.ts';

const START = Date.UTC(2026, 10, 21, 12);
const { sessionMs, sessionsPerPerson } = DEFAULT_LIMITS.console;
const organizationId = idFrom('organization', keyedDigest('test', 'organization'));
const userId = idFrom('user', keyedDigest('test', 'user'));
const personKey = sha256Hex('ada@example.com');

let world: FoldWorld;

beforeEach(() => {
  world = new FoldWorld([createPeopleFold(DEFAULT_LIMITS), createOrganizationsFold(DEFAULT_LIMITS)], START);
});

function setUp(blob = 'first', organization = organizationId) {
  return world.send({
    topic: 'organizations',
    aggregate: organization,
    type: 'set-up',
    input: {
      name: 'Example',
      operator: true,
      personKey,
      userId,
      identityBlob: blob,
      sessionDigest: sha256Hex('session 0'),
    },
  });
}

function start(session: string, identityBlob = 'first') {
  return world.send({
    topic: 'people',
    aggregate: personKey,
    type: 'session-start',
    input: { identityBlob, sessionDigest: sha256Hex(session), mayBelongNowhere: false },
  });
}

function startAs(nextIdentityBlob: string, identityBlob = 'first') {
  return world.send({
    topic: 'people',
    aggregate: personKey,
    type: 'session-start',
    input: { identityBlob, nextIdentityBlob, sessionDigest: sha256Hex('next'), mayBelongNowhere: true },
  });
}

function end(session: string) {
  return world.send({
    topic: 'people',
    aggregate: personKey,
    type: 'session-end',
    input: { sessionDigest: sha256Hex(session) },
  });
}

const person = () => world.root('people', personKey) as PersonDocument;
const sessions = () => person().sessions.map(({ digest }) => digest);
const pointer = (session: string) => world.digestIndex.get(`console-session:${sha256Hex(session)}`);
const refusalCode = (code: string) => ({ kind: 'refused', refusal: { code } });

describe('set-up', () => {
  it('makes the organization, its owner and the first session, and the person answers', () => {
    expect(setUp()).toEqual({ kind: 'done', result: { userId } });
    expect(world.root('organizations', organizationId)).toMatchObject({ state: 'active', operator: true });
    expect(world.row('organizations', organizationId, 'member', userId)).toMatchObject({
      personKey,
      role: 'owner',
    });
    expect(person()).toMatchObject({ userId, identityBlob: 'first', organizationIds: [organizationId] });
    expect(pointer('session 0')).toMatchObject({ target: { personKey }, expiresAt: START + sessionMs });
  });

  it('is refused the second time, and the bytes that were written for it go', () => {
    setUp();
    expect(setUp('second')).toMatchObject(refusalCode('state_conflict'));
    expect(person().identityBlob).toBe('first');
    expect(world.removedBlobs).toEqual([{ owner: personKey, group: PERSON_BLOB_GROUP, name: 'second' }]);
  });

  it('is released when the person exists already, and can then be tried again', () => {
    setUp();
    const other = idFrom('organization', keyedDigest('test', 'other'));
    expect(setUp('second', other)).toMatchObject(refusalCode('state_conflict'));
    expect(world.root('organizations', other)).toMatchObject({ state: 'released' });
    expect(world.row('organizations', other, 'member', userId)).toBeNull();
    expect(world.removedBlobs).toHaveLength(1);
    expect(person()).toMatchObject({ identityBlob: 'first', organizationIds: [organizationId] });
  });
});

describe('set-up for a person who belongs nowhere', () => {
  const enroll = () =>
    world.send({
      topic: 'people',
      aggregate: personKey,
      type: 'enroll',
      input: { userId, identityBlob: 'enrolled', sessionDigest: sha256Hex('session nowhere') },
    });

  it.each([1, 3])('gives the organization and another identity, delivered %i times', (deliveries) => {
    world = new FoldWorld(
      [createPeopleFold(DEFAULT_LIMITS), createOrganizationsFold(DEFAULT_LIMITS)],
      START,
      deliveries,
    );
    enroll();
    expect(setUp()).toEqual({ kind: 'done', result: { userId } });
    expect(person()).toMatchObject({ userId, identityBlob: 'first', organizationIds: [organizationId] });
    expect(sessions()).toEqual([sha256Hex('session nowhere'), sha256Hex('session 0')]);
    expect(world.root('organizations', organizationId)).toMatchObject({ state: 'active' });
    expect(new Set(world.removedBlobs.map(({ name }) => name))).toEqual(new Set(['enrolled']));
  });
});

describe('follow-ups that arrive again', () => {
  it('make one person and one session', () => {
    world = new FoldWorld(
      [createPeopleFold(DEFAULT_LIMITS), createOrganizationsFold(DEFAULT_LIMITS)],
      START,
      3,
    );
    expect(setUp()).toEqual({ kind: 'done', result: { userId } });
    expect(sessions()).toEqual([sha256Hex('session 0')]);
    expect(world.removedBlobs).toEqual([]);
    expect(world.root('organizations', organizationId)).toMatchObject({ state: 'active' });
  });
});

describe('sessions', () => {
  it('do not start for an unknown person', () => {
    expect(start('one')).toMatchObject(refusalCode('unauthorized'));
  });

  it('start only with the identity that was verified', () => {
    setUp();
    expect(start('one', 'older password')).toMatchObject(refusalCode('unauthorized'));
    expect(pointer('one')).toBeUndefined();
  });

  it('end at sign-out, which may be repeated', () => {
    setUp();
    start('one');
    expect(end('one')).toEqual({ kind: 'done', result: {} });
    expect(end('one')).toEqual({ kind: 'done', result: {} });
    expect(sessions()).toEqual([sha256Hex('session 0')]);
    expect(pointer('one')?.target).toBeNull();
  });

  it('are bounded: beyond the limit the oldest ends', () => {
    setUp();
    for (let number = 1; number <= sessionsPerPerson; number += 1) start(`session ${number}`);
    expect(sessions()).toHaveLength(sessionsPerPerson);
    expect(sessions()).not.toContain(sha256Hex('session 0'));
    expect(pointer('session 0')?.target).toBeNull();
    expect(pointer('session 1')?.target).toEqual({ personKey });
  });

  it('leave when their time is over', () => {
    setUp();
    world.now += sessionMs;
    start('next day');
    expect(sessions()).toEqual([sha256Hex('next day')]);
  });
});

describe('a session that brings another identity', () => {
  const FUTURE = `${(START + 1_000).toString(36)}-next`;

  it.each([1, 3])('replaces the identity and removes the one before, delivered %i times', (deliveries) => {
    world = new FoldWorld(
      [createPeopleFold(DEFAULT_LIMITS), createOrganizationsFold(DEFAULT_LIMITS)],
      START,
      deliveries,
    );
    setUp();
    expect(startAs(FUTURE)).toEqual({ kind: 'done', result: { userId } });
    expect(person().identityBlob).toBe(FUTURE);
    expect(new Set(world.removedBlobs.map(({ name }) => name))).toEqual(new Set(['first']));
  });

  it('starts as well if another sign-in was faster with one', () => {
    setUp();
    startAs(FUTURE);
    expect(startAs(`${FUTURE}-2`)).toMatchObject({ kind: 'done' });
    expect(person().identityBlob).toBe(`${FUTURE}-2`);
    expect(world.removedBlobs.map(({ name }) => name)).toEqual(['first', FUTURE]);
  });

  it('leaves the identity as it is if the sweep may have removed the new one', () => {
    setUp();
    const ended = `${START.toString(36)}-next`;
    expect(startAs(ended)).toMatchObject({ kind: 'done' });
    expect(person().identityBlob).toBe('first');
    expect(world.removedBlobs).toEqual([]);
  });

  it('does not start for an unknown person', () => {
    expect(startAs(FUTURE)).toMatchObject(refusalCode('unauthorized'));
  });
});

describe('being seen', () => {
  const seen = () => world.send({ topic: 'people', aggregate: personKey, type: 'seen', input: {} });
  const { lastUseMs } = DEFAULT_LIMITS.workspace;

  it('is noted once an hour, and not for an unknown person', () => {
    expect(seen()).toMatchObject({ kind: 'done' });
    expect(world.root('people', personKey)).toBeNull();
    setUp();
    seen();
    world.now += lastUseMs - 1;
    seen();
    expect(person().lastSeenAt).toBe(START);
    world.now += 1;
    seen();
    expect(person().lastSeenAt).toBe(START + lastUseMs);
  });
});
