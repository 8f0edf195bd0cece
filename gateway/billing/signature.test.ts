import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSigned, SIGNATURE_TOLERANCE_MS } from './signature.ts';

const SECRET = 'a secret of thirty-two characters';
const BODY = Buffer.from('{"status":"active"}');
const NOW = Date.UTC(2026, 10, 21);
const SECONDS = NOW / 1_000;

function signatureOf(secret = SECRET, seconds = SECONDS, body: Uint8Array = BODY): string {
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
}

describe('a signature', () => {
  it('holds for its body and its time', () => {
    const header = `t=${SECONDS},v1=${signatureOf()}`;
    expect(isSigned(header, BODY, SECRET, NOW)).toBe(true);
    expect(isSigned(header, Buffer.from('{"status":"active" }'), SECRET, NOW)).toBe(false);
    expect(isSigned(header.replace(`t=${SECONDS}`, `t=${SECONDS + 1}`), BODY, SECRET, NOW)).toBe(false);
  });

  it('holds for five minutes in either direction', () => {
    const header = `t=${SECONDS},v1=${signatureOf()}`;
    for (const direction of [-1, 1]) {
      const edge = NOW + direction * SIGNATURE_TOLERANCE_MS;
      expect([
        isSigned(header, BODY, SECRET, edge),
        isSigned(header, BODY, SECRET, edge + direction),
      ]).toEqual([true, false]);
    }
  });

  it('is one of several while the provider changes its secret', () => {
    const [old, current] = [signatureOf('the secret that was used before'), signatureOf()];
    expect(isSigned(`t=${SECONDS},v1=${old},v1=${current}`, BODY, SECRET, NOW)).toBe(true);
    expect(isSigned(`t=${SECONDS}, v1=${current}, v1=${old}`, BODY, SECRET, NOW)).toBe(true);
    expect(isSigned(`t=${SECONDS},v1=${old}`, BODY, SECRET, NOW)).toBe(false);
  });

  it.each([
    `t=${SECONDS},v0=${'0'.repeat(64)},v1=${signatureOf()}`,
    `t=${SECONDS}, v1=${signatureOf()}, v0=c2lnbmF0dXJl+/==`,
    `t=${SECONDS},v2=x,v1=${'0'.repeat(64)},v1=${signatureOf()}`,
  ])('counts beside one of a scheme that is not known: %j', (header) => {
    expect(isSigned(header, BODY, SECRET, NOW)).toBe(true);
    expect(isSigned(header, BODY, 'another secret of 32 characters!', NOW)).toBe(false);
  });

  it.each([
    '',
    't=',
    `v1=${signatureOf()}`,
    `t=${SECONDS}`,
    `t=${SECONDS},v1=${signatureOf().toUpperCase()}`,
    `t=${SECONDS},v0=${signatureOf()},v2=${signatureOf()}`,
    `t=${SECONDS},t=${SECONDS},v1=${signatureOf()}`,
    `t=${SECONDS},v1=${signatureOf()},v2=`,
    `t=${SECONDS}${`,v1=${signatureOf()}`.repeat(9)}`,
    `t=-${SECONDS},v1=${signatureOf()}`,
    `t=${SECONDS},  v1=${signatureOf()}`,
    `t=${'9'.repeat(400)},v1=${signatureOf()}`,
  ])('is not read from %j', (header) => {
    expect(isSigned(header, BODY, SECRET, NOW)).toBe(false);
  });
});
