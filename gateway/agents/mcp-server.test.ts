import { describe, expect, it } from 'vitest';
import type { ToolCaller } from '../../schemas/mcp/call-tool.ts';
import { answerMessage } from './mcp-server.ts';

const URL = 'http://127.0.0.1:8787/mcp';
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};
const CALL = { name: 'read_counts', arguments: { importId: '0190b0a0-0000-4000-8000-000000000001' } };

/** A caller whose operations fail with an error that is no refusal. */
function failing(error: Error): ToolCaller {
  return { call: () => Promise.reject(error), failureOf: () => null };
}

describe('answerMessage', () => {
  it.each([
    ['2025', {}, CALL],
    [
      '2026-07-28',
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': CALL.name },
      { ...CALL, _meta: MODERN },
    ],
  ])('rejects with an unexpected error of an operation, for a client of %s', async (_, headers, params) => {
    const error = new TypeError('reading "hidden" of undefined');
    const message = { jsonrpc: '2.0' as const, id: 1, method: 'tools/call', params };
    await expect(answerMessage({ url: URL, headers, message }, failing(error))).rejects.toBe(error);
  });

  it.each([
    [
      'initialize',
      { protocolVersion: 5, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      'params.protocolVersion: expected string, received number.',
    ],
    [
      'tools/call',
      { name: 'read_counts', arguments: null },
      'params.arguments: expected record, received null.',
    ],
    ['tools/call', undefined, 'params: expected object, received undefined.'],
  ])('says in words what is wrong with the parameters of %s: %j', async (method, params, message) => {
    const sent = { jsonrpc: '2.0' as const, id: 1, method, ...(params && { params }) };
    const caller = failing(new Error('calling nothing'));
    const { body } = await answerMessage({ url: URL, headers: {}, message: sent }, caller);
    expect(body).toMatchObject({ id: 1, error: { code: -32_602, message } });
  });

  it('answers the second message as it answers the first', async () => {
    const message = { jsonrpc: '2.0' as const, id: 1, method: 'tools/list' };
    const caller = failing(new Error('calling nothing'));
    const answers = [];
    for (let sent = 0; sent < 2; sent += 1)
      answers.push(await answerMessage({ url: URL, headers: {}, message }, caller));
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(200);
  });
});
