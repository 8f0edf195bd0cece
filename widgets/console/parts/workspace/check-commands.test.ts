import { describe, expect, it } from 'vitest';
import { confirmOriginCommand, createSuiteCommand, nameOriginCommand } from './check-commands.ts';

describe('the commands of browser checks', () => {
  it('keep plain words and variables', () => {
    expect(nameOriginCommand('https://app.example.com')).toMatch(/--origin https:\/\/app\.example\.com$/);
    expect(confirmOriginCommand('$ORIGIN_ID')).toMatch(/--origin-id "\$ORIGIN_ID"$/);
  });

  it('quote what a shell would read', () => {
    expect(createSuiteCommand('ori_1', "https://x.example/$(id)'")).toContain(
      "--url 'https://x.example/$(id)'\\''/'",
    );
  });
});
