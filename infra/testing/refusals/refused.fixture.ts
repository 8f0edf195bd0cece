import { expect } from 'vitest';

/** The place of a fault, what was seen there, and what is allowed. Every refusal below 500 has these parts. */
export const MESSAGE = /^(?<at>[a-zA-Z]+[^:;]*): seen (?<seen>[^,]+), expected (?<expected>\S.*)\.$/s;

/** Words that a library or a programmer left in place of plain ones. */
export const VAGUE = /expected another value|Invalid input|undefined|\[object|NaN/;

interface Refused {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: Tests look into answers whose shape is what they check.
  readonly body: any;
}

/** Expects a refusal with this code, whose message names this place. */
export function expectRefused({ body }: Refused, code: string, at: string): void {
  expect(body?.error).toMatchObject({ code, message: expect.stringMatching(MESSAGE) });
  expect(MESSAGE.exec(body.error.message)?.groups?.['at']).toBe(at);
  expect(body.error.message).not.toMatch(VAGUE);
}
