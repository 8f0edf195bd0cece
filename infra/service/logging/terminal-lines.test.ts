import { describe, expect, it } from 'vitest';
import { createLogger, logRequest } from '../../../gateway/http/server/logging.ts';
import { terminalDestination } from './terminal-lines.ts';

/** The lines that a logger leaves on a terminal, without the time of day. */
function shown(log: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  const output = { write: (more: string) => (text += more) };
  log(createLogger({ level: 'info', destination: terminalDestination(output) }));
  return text.replaceAll(/^\d\d:\d\d:\d\d {2}/gm, '');
}

const REQUEST = {
  route: 'check',
  method: 'POST',
  durationMs: 3,
  principal: null,
  caller: null,
  workspace: null,
};

describe('the log on a terminal', () => {
  it('begins with what to open', () => {
    const text = shown((logger) => logger.info({ address: 'http://127.0.0.1:8787' }, 'ServiceStarted'));
    expect(text).toContain('svc is running at http://127.0.0.1:8787\n');
    expect(text).toContain('http://127.0.0.1:8787/llms.txt\n');
  });

  it.each([
    [200, '200  POST  check  3 ms\n'],
    [404, '404  POST  check  3 ms  req_a\n'],
    [null, 'gone  POST  check  3 ms  req_a\n'],
  ])('shows a request that was answered with %s', (status, line) => {
    expect(shown((logger) => logRequest(logger, { ...REQUEST, requestId: 'req_a', status }))).toBe(line);
  });

  it('says what is missing in words, and hides secrets like the log itself', () => {
    const text = shown((logger) => {
      logger.warn({ said: 'No Chromium on this machine.' }, 'NoBrowser');
      logger.error({ token: 'a', count: 2 }, 'EngineFailed');
    });
    expect(text).toBe(
      'warn: NoBrowser: No Chromium on this machine.\nerror: EngineFailed  token="[hidden]"  count=2\n',
    );
  });
});
