import { describe, expect, it } from 'vitest';
import { RELEASES } from '../../../../cli/releases.ts';
import { CLAIM_COMMAND, TOOL_FILE } from './commands.ts';

describe('the commands to copy', () => {
  it('name the newest release of the tool', () => {
    expect(TOOL_FILE).toBe(`svc-cli-v${RELEASES.at(-1)?.version}.js`);
    expect(CLAIM_COMMAND).toContain(TOOL_FILE);
  });
});
