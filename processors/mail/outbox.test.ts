import { beforeEach, describe, expect, it } from 'vitest';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { OPEN_MAILS_MAX, type OutboxDocument } from '../../schemas/mail/documents.ts';
import { invitationAddressBlob } from '../../schemas/organizations/blobs.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createMailFold } from './fold.ts';

const START = Date.UTC(2026, 10, 29, 12);
const outbox = sha256Hex('grace@example.com');
const organizationId = idFrom('organization', keyedDigest('test', 'organization'));
const invitationOf = (name: string) => idFrom('invitation', keyedDigest('test', name));
const mailId = invitationOf('first');

let world: FoldWorld;
beforeEach(() => {
  // Each follow-up arrives twice, as after a crash.
  world = new FoldWorld([createMailFold(DEFAULT_LIMITS)], START, 2);
});

const send = (type: string, input: JsonObject) =>
  world.send({ topic: 'mail', aggregate: outbox, type, input });
const queue = (id = mailId) =>
  send('queue', { mailId: id, subject: { kind: 'invitation', organizationId, invitationId: id } });
const open = () => (world.root('mail', outbox) as OutboxDocument).open;

/** The attempts that workers were asked for, each once. */
const attempts = () => {
  const inputs = world.elsewhere
    .filter(({ topic }) => topic === 'mail-sends')
    .map(({ envelope }) => envelope.input);
  return [...new Set(inputs.map((input) => JSON.stringify(input)))].map(
    (text) => JSON.parse(text) as JsonObject,
  );
};

describe('an outbox', () => {
  it('asks a worker for the first attempt, once however often the mail is queued', () => {
    queue();
    queue();
    expect(attempts()).toEqual([{ outbox, mailId, attempt: 1 }]);
    expect(open()).toHaveLength(1);
  });

  it('asks the person first whether a new password may be offered', () => {
    const codeDigest = sha256Hex('code');
    send('queue', { mailId: 'reset1', subject: { kind: 'reset', codeDigest } });
    expect(attempts()).toEqual([]);
    expect(world.elsewhere).toContainEqual(
      expect.objectContaining({
        topic: 'people',
        key: outbox,
        envelope: expect.objectContaining({ input: { mailId: 'reset1', codeDigest } }),
      }),
    );
  });

  it('makes the next attempt only after the one before, and after no other', () => {
    queue();
    send('send-again', { mailId, attempt: 2 });
    expect(attempts()).toHaveLength(1);
    send('postpone', { mailId, attempt: 1 });
    send('postpone', { mailId, attempt: 1 });
    expect(open()).toMatchObject([{ attempt: 2 }]);
    send('send-again', { mailId, attempt: 2 });
    expect(attempts()).toEqual([
      { outbox, mailId, attempt: 1 },
      { outbox, mailId, attempt: 2 },
    ]);
  });

  it('leaves a mail that was given up to the operator', () => {
    queue();
    send('give-up', { mailId });
    send('send-again', { mailId, attempt: 1 });
    expect(attempts()).toHaveLength(1);
    expect(open()).toMatchObject([{ state: 'failed', attempt: 1 }]);
  });

  it.each(['settle', 'forget'])('has no mail and no address after %s', (type) => {
    queue();
    send(type, type === 'settle' ? { mailId } : {});
    send(type, type === 'settle' ? { mailId } : {});
    expect(open()).toEqual([]);
    expect(world.removedBlobs).toContainEqual(invitationAddressBlob(organizationId, mailId));
  });

  it('drops the oldest mail beyond its bound', () => {
    const ids = Array.from({ length: OPEN_MAILS_MAX + 1 }, (_, index) => invitationOf(`${index}`));
    for (const id of ids) queue(id);
    expect(open().map((mail) => mail.mailId)).toEqual(ids.slice(1));
    expect(world.removedBlobs).toContainEqual(invitationAddressBlob(organizationId, ids[0] ?? ''));
  });
});
