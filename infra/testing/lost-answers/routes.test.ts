import { describe, expect, it } from 'vitest';
import { CHANGING, changingRoute, SENT_BY } from './routes.fixture.ts';

describe('the routes whose answers the tests lose', () => {
  it('are all that change something, each with a sender', () => {
    expect(Object.keys(SENT_BY).toSorted()).toEqual(CHANGING.toSorted());
    expect(Object.values(SENT_BY).filter((senders) => senders.length === 0)).toEqual([]);
  });

  it('are found by the request', () => {
    expect(changingRoute('POST', '/v1/keys')).toBe('createKey');
    expect(changingRoute('DELETE', '/v1/keys/key_a?x=1')).toBe('revokeKey');
    expect(changingRoute('GET', '/v1/keys')).toBeNull();
    expect(changingRoute('POST', '/v1/keys/key_a/window')).toBeNull();
  });
});
