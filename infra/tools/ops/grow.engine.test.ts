import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { foldGroupOf, TOPIC_NAMES } from '../../../topics/catalogue.ts';
import { KafkaLogFixture } from '../../engines/kafka/kafka-log.fixture.ts';
import { LogProbe } from '../../testing/contracts/log-probe.fixture.ts';
import { clusterEnvironment } from '../service-process/cluster-environment.ts';

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url));
const RUN_MS_MAX = 60_000;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program as `npm run ops -- grow` does. */
function grow(environment: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  execFile(
    process.execPath,
    [PROGRAM, 'grow', ...args],
    { env, timeout: RUN_MS_MAX },
    (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
  );
  return promise;
}

it('grows a topic of the service that the environment names, and says what it does', async () => {
  const namespace = `svc_test_${randomBytes(6).toString('hex')}`;
  const engine = await KafkaLogFixture.open({ prefix: `${namespace}.` });
  const probe = await LogProbe.start(engine.log, { group: foldGroupOf('imports'), keys: [] });
  const environment = { ...clusterEnvironment(), SVC_NAMESPACE: namespace };
  expect(await grow(environment, 'imports', '11')).toEqual({
    code: 0,
    stdout: [
      `${namespace}.imports.v2: 11 partitions, closed`,
      `${namespace}.imports.v1: closed, 8 markers`,
      `${namespace}.imports.v2: open`,
      'imports: everything of generation 1 is handled',
      '',
    ].join('\n'),
    stderr: '',
  });
  expect(await grow(environment, 'imports', 'many')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('partitions: seen "many"'),
  });
  await probe.stop();
  await engine.close();
});

it('says how it is called, and for whom it is not', async () => {
  const usage = { code: 2, stderr: expect.stringContaining(TOPIC_NAMES.join(', ')) };
  expect(await grow({})).toMatchObject(usage);
  expect(await grow({}, 'import', '11')).toMatchObject(usage);
  expect(await grow({}, 'imports', '11')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SVC_ENGINE'),
  });
});
