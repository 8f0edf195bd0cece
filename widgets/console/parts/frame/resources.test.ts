import { describe, expect, it } from 'vitest';
import { resourceAddress, resourceKind } from './resources.ts';

const REST = 'a'.repeat(24);

describe('resourceKind', () => {
  it('knows a resource by its id, and no other text', () => {
    expect(resourceKind('ac22eb33-bc20-42db-8763-e63c3248105c')).toBe('import');
    expect([`ins_${REST}`, `run_${REST}`, `tok_${REST}`, 'owner'].map(resourceKind)).toEqual([
      'workspace',
      'run',
      null,
      null,
    ]);
  });
});

describe('resourceAddress', () => {
  it('is none without the workspace of a resource in one', () => {
    expect(resourceAddress('run', `run_${REST}`, 'wks_1')).toBe(`/agent-workspaces/wks_1/checks/run_${REST}`);
    expect(resourceAddress('run', `run_${REST}`, null)).toBeNull();
    expect(resourceAddress('key', `key_${REST}`, null)).toBe(`/keys/key_${REST}`);
    expect(resourceAddress('request', `req_${REST}`, 'wks_1')).toBeNull();
  });
});
