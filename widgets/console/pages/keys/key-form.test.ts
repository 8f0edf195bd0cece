import { describe, expect, it } from 'vitest';
import { checkKeyForm } from './key-form.ts';

const BODY = '8Zk2mVw4TqLr6NdY1sHcJ9pBf3GuEx7Q';

describe('checkKeyForm', () => {
  it.each(['test', 'live'] as const)('accepts a %s key', (mode) => {
    const last4 = BODY.slice(-4);
    expect(checkKeyForm(`svc_limiter_${mode}_${BODY}`)).toEqual({ isRight: true, mode, last4 });
  });

  it.each([
    [
      'one lost character',
      `svc_limiter_live_${BODY.slice(1)}`,
      /^31 characters after live_; .* One was lost/,
    ],
    [
      'several lost characters',
      `svc_limiter_test_${BODY.slice(5)}`,
      /^27 characters after test_; .* 5 were lost/,
    ],
    ['more characters', `svc_limiter_live_${BODY}${BODY}`, /^64 characters .* pasted twice/],
    ['a wrong character', `svc_limiter_live_${BODY.slice(0, 6)}-${BODY.slice(7)}`, /^Character 7 .* “-”/],
    ['an invisible character', `svc_limiter_live_${BODY.slice(1)}\u200b`, /^Character 32 .* U\+200B/],
    ['a space around it', ` svc_limiter_live_${BODY}`, /space or a line break/],
    ['the whole header', `Bearer svc_limiter_live_${BODY}`, /“Bearer”/],
    ['quotation marks', `"svc_limiter_live_${BODY}"`, /quotation marks/],
    ['the short form', 'svc_limiter_live_…Ex7Q', /short form/],
    ['no mode', `svc_limiter_${BODY}`, /^The mode is missing/],
    ['another secret', `svc_agent_${BODY}`, /^This is another kind of secret/],
    ['no prefix', BODY, /^The beginning is missing/],
  ])('names %s', (_name, text, fault) => {
    expect(checkKeyForm(text)).toEqual({ isRight: false, fault: expect.stringMatching(fault) });
  });
});
