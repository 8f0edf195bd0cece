import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../base/error-codes.ts';
import type { Refusal } from '../base/errors.ts';
import { callTool, findTool, TOOL_LIST, type ToolCaller } from './call-tool.ts';
import { nextStep } from './next-steps.ts';
import { INSTRUCTIONS } from './server.ts';
import { TOOLS } from './tools.ts';

const NAMES = TOOLS.map(({ name }) => name);
/** Words that look like names of tools. */
const TOOL_LIKE = /\b(?:discover|configure|submit|queue|read|list)_[a-z_]+/g;
/** Every session of a client begins with this many characters, about four for each token. */
const LIST_CHARACTERS_MAX = 20_000;

/** A caller whose operations answer nothing. */
function callerOf(failure: Error): ToolCaller {
  return { call: () => Promise.reject(failure), failureOf: () => null };
}

describe('TOOL_LIST', () => {
  it.each(TOOL_LIST.map((tool) => [tool.name, tool] as const))('describes %s completely', (name, tool) => {
    expect(name).toMatch(/^[a-z]+_[a-z]+$/);
    expect(tool.title).toBe(tool.annotations.title);
    expect(tool.description).toMatch(/^[A-Z].*\.$/s);
    expect(Object.keys(tool.annotations).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
      'title',
    ]);
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(tool.outputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(JSON.stringify(tool.outputSchema)).not.toContain('"pattern"');
    // Some clients know only one type for each schema.
    expect(JSON.stringify(tool)).not.toContain('"type":[');
  });

  it('stays small, because a model reads it in every session', () => {
    expect(JSON.stringify(TOOL_LIST).length).toBeLessThan(LIST_CHARACTERS_MAX);
  });

  it('says of tools that only read that they destroy nothing', () => {
    for (const { annotations } of TOOL_LIST.filter((tool) => tool.annotations.readOnlyHint)) {
      expect(annotations).toMatchObject({ destructiveHint: false, idempotentHint: true });
    }
  });
});

describe('the texts for a model', () => {
  it('name only tools that there are', () => {
    const steps = NAMES.flatMap((tool) => ERROR_CODES.map((code) => nextStep(tool, code)));
    const texts = [INSTRUCTIONS, ...steps, ...TOOL_LIST.map(({ description }) => description)].join('\n');
    const named = new Set([...texts.matchAll(TOOL_LIKE)].map(([name]) => name));
    expect([...named].filter((name) => !NAMES.includes(name))).toEqual([]);
    expect([...named].length).toBeGreaterThan(3);
  });
});

describe('callTool', () => {
  it('names the arguments in a refusal of the request behind them', async () => {
    const tool = findTool('read_counts');
    if (tool === null) throw new Error('finding read_counts');
    const message =
      'path.importId: seen an id, expected one of this workspace; body.columns[0].source: seen a path. Its body: short.';
    const refusal: Refusal = { code: 'not_found', message };
    const caller = { ...callerOf(new Error()), failureOf: () => ({ refusal, requestId: null }) };
    const { content } = await callTool(tool, { importId: '0190b0a0-0000-4000-8000-000000000001' }, caller);
    expect(JSON.parse(content[0]?.text ?? '').error.message).toBe(
      'arguments.importId: seen an id, expected one of this workspace; arguments.columns[0].source: seen a path. Its body: short.',
    );
  });

  it('rejects with an error that is no refusal, so that no client reads it', async () => {
    const tool = findTool('read_counts');
    if (tool === null) throw new Error('finding read_counts');
    const failure = new TypeError('reading "hidden" of undefined');
    const given = { importId: '0190b0a0-0000-4000-8000-000000000001' };
    await expect(callTool(tool, given, callerOf(failure))).rejects.toBe(failure);
  });
});
