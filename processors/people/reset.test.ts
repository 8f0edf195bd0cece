import { beforeEach, describe, expect, it } from 'vitest';
import type { Command } from '../../schemas/base/command.ts';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { type PersonDocument, personDocumentSchema } from '../../schemas/people/documents.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { handlerOf, scopeOf } from '../runtime/fold/fold.ts';
import { createPeopleFold } from './fold.ts';

const START = Date.UTC(2026, 10, 21, 12);
const userId = idFrom('user', keyedDigest('test', 'user'));
const organizationOf = (name: string) => idFrom('organization', keyedDigest('test', name));
const personKey = sha256Hex('ada@example.com');
const codeDigest = sha256Hex('code');

let world: FoldWorld;

beforeEach(() => {
  world = new FoldWorld([createPeopleFold(DEFAULT_LIMITS)], START);
  join('first', true);
});

const send = (type: string, input: JsonObject) =>
  world.send({ topic: 'people', aggregate: personKey, type, input });

function join(organization: string, isNew = false) {
  return send('join', {
    invitationId: idFrom('invitation', keyedDigest('test', organization)),
    organizationId: organizationOf(organization),
    userId,
    identityBlob: 'first',
    isNew,
    sessionDigest: sha256Hex(organization),
  });
}

const leave = (organization: string) => send('leave', { organizationId: organizationOf(organization) });

const offer = (organization: string, operator = false) =>
  send('offer-reset', { organizationId: organizationOf(organization), operator, codeDigest });

const use = () => send('reset-password', { codeDigest, to: 'second' });
const person = () => world.root('people', personKey) as PersonDocument;
const DONE = { kind: 'done' };
const ENDED = { kind: 'refused', refusal: { code: 'not_found' } };

describe('a reset link', () => {
  it('sets a password once', () => {
    expect(offer('first')).toMatchObject(DONE);
    expect(use()).toMatchObject(DONE);
    expect(person()).toMatchObject({ identityBlob: 'second', sessions: [], reset: null });
    expect(use()).toMatchObject(ENDED);
  });

  it.each([false, true])('ends when the person joins another organization (operator: %s)', (operator) => {
    offer('first', operator);
    join('second');
    expect(use()).toMatchObject(ENDED);
    expect(person()).toMatchObject({ identityBlob: 'first', reset: null });
    expect(world.digestIndex.get(`reset-code:${codeDigest}`)?.target).toBeNull();
  });

  it.each([false, true])('ends when the person is removed (operator: %s)', (operator) => {
    offer('first', operator);
    leave('first');
    expect(use()).toMatchObject(ENDED);
    expect(person()).toMatchObject({ identityBlob: 'first', reset: null });
    expect(world.digestIndex.get(`reset-code:${codeDigest}`)?.target).toBeNull();
  });

  it('of an operator is for everybody, wherever they belong', () => {
    join('second');
    expect(offer('first')).toMatchObject({ kind: 'refused', refusal: { code: 'forbidden' } });
    expect(offer('first', true)).toMatchObject(DONE);
    expect(use()).toMatchObject(DONE);
  });

  it('of a document that does not say who offered it no longer works', () => {
    offer('first');
    const { reset, ...others } = person();
    const { digest, expiresAt } = reset!;
    const earlier = personDocumentSchema.parse({ ...others, reset: { digest, expiresAt } });
    const fold = createPeopleFold(DEFAULT_LIMITS);
    const command = { type: 'reset-password', input: { codeDigest, to: 'second' } } as unknown as Command;
    const context = { aggregate: personKey, now: START, sequence: 9 };
    const scope = scopeOf(fold, { root: earlier, row: () => null }, command, context);
    const result = handlerOf(fold, command).fold(scope);
    expect(result.outcome).toMatchObject(ENDED);
  });
});
