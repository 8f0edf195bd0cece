import type { Disturbance, InjectingTest } from './disturbance.ts';

const here = (file: string, title: string): InjectingTest => ({
  project: file.includes('.engine.') ? 'engines' : 'everywhere',
  file: `infra/${file}`,
  title,
});
const onCluster = (file: string, title: string): InjectingTest => ({
  project: 'journeys',
  file: `infra/${file}`,
  title,
});

/** Every disturbance that the service has to survive. A new one needs an entry here and a test. */
export const DISTURBANCES: readonly Disturbance[] = [
  {
    name: 'clock a minute, an hour, a day ahead or back, and right again',
    engine: 'embedded',
    test: here(
      'testing/e2e/clock-steps.test.ts',
      '%s and right again: writes succeed without a restart, and after one',
    ),
    seen: 'nothing',
    recovers: 'by itself',
  },
  {
    name: "clock half a minute apart from the brokers'",
    engine: 'cluster',
    test: here(
      'testing/e2e/clock-apart.engine.test.ts',
      '%s theirs by half a minute reports that it is not ready, and continues to answer',
    ),
    seen: '/readyz 503, all else as ever',
    recovers: 'once put right, by itself',
  },
  {
    name: "clock at a month's end",
    engine: 'embedded',
    test: here(
      'testing/e2e/clock-month.test.ts',
      'begins new quotas, usage and audit log, and loses nothing of the old month',
    ),
    seen: '429 limit_reached until the month is over',
    recovers: 'by itself',
  },
  {
    name: "clock set back over a month's end",
    engine: 'embedded',
    test: here(
      'testing/e2e/clock-month.test.ts',
      'continues the new month when it is set back over the end, and forward again',
    ),
    seen: 'the quotas of the new month, once',
    recovers: 'by itself',
  },
  {
    name: 'database locked by another process',
    engine: 'embedded',
    test: here(
      'testing/disturbances/embedded.test.ts',
      'lets writes wait or refuses them while another process locks the database',
    ),
    seen: 'writes 503 unavailable, reads 200',
    recovers: 'by itself',
  },
  {
    name: 'disk full',
    engine: 'embedded',
    test: here(
      'testing/e2e/disk.test.ts',
      'is full: writes are refused, reads succeed, and writes succeed again once there is room',
    ),
    seen: 'new things 503 unavailable with Retry-After: 60, reads 200',
    recovers: 'once put right, by itself',
  },
  {
    name: 'disk that fails',
    engine: 'embedded',
    test: here(
      'testing/e2e/disk.test.ts',
      'fails: the process ends and says why, and a start without the fault finds what was acknowledged',
    ),
    seen: '503 or a lost connection; exit code 1, EngineFailed with the reason',
    recovers: 'with the next start',
  },
  {
    name: 'disk read-only at the start',
    engine: 'embedded',
    test: here('testing/e2e/disk.test.ts', 'cannot be written to: a start says so, and changes nothing'),
    seen: 'no start: one line, exit code 2',
    recovers: 'once put right, with a start',
  },
  {
    name: "an upload's bytes missing",
    engine: 'embedded',
    test: here(
      'testing/disturbances/embedded.test.ts',
      'fails the import whose bytes are missing, and no other',
    ),
    seen: 'that import goes back to uploaded with failure internal; all else 200',
    recovers: 'by itself',
  },
  {
    name: 'identity secret changed',
    engine: 'both',
    test: here(
      'testing/e2e/identity-secret.test.ts',
      'is refused with another identity secret, and starts with the right one',
    ),
    seen: 'no start: one line, exit code 2',
    recovers: 'once put right, with a start',
  },
  {
    name: 'secret file missing',
    engine: 'embedded',
    test: here(
      'testing/e2e/identity-secret.test.ts',
      'is refused without the file %s, which is not made again',
    ),
    seen: 'no start: one line, exit code 2',
    recovers: 'once put right, with a start',
  },
  {
    name: 'port in use',
    engine: 'both',
    test: here('testing/e2e/failed-starts.test.ts', 'names the port that is in use'),
    seen: 'no start: one line, exit code 2',
    recovers: 'once put right, with a start',
  },
  {
    name: 'data folder in use',
    engine: 'embedded',
    test: here(
      'testing/e2e/disk.test.ts',
      'belongs to one process: a second one names the reason and ends, and the first continues',
    ),
    seen: 'nothing; no second start: one line, exit code 2',
    recovers: 'by itself',
  },
  {
    name: 'database damaged',
    engine: 'embedded',
    test: here('testing/e2e/failed-starts.test.ts', 'names a database that is damaged'),
    seen: 'no start: one line, exit code 2',
    recovers: 'once put right, with a start',
  },
  {
    name: 'silent connection at a stop',
    engine: 'both',
    test: here('testing/disturbances/embedded.test.ts', 'stops soon although a connection says nothing'),
    seen: 'nothing',
    recovers: 'with the next start',
  },
  {
    name: 'stop under load',
    engine: 'both',
    test: here(
      'testing/disturbances/embedded.test.ts',
      'drops no call on an idle connection when it is asked to stop',
    ),
    seen: 'nothing: Connection: close, then connections are refused',
    recovers: 'with the next start',
  },
  {
    name: 'kill -9',
    engine: 'embedded',
    test: here(
      'testing/e2e/kill.test.ts',
      'lose nothing that was answered and double nothing (KILL_SEED=%i)',
    ),
    seen: 'a lost connection',
    recovers: 'with the next start',
  },
  {
    name: 'work without an end',
    engine: 'both',
    test: {
      project: 'everywhere',
      file: 'processors/imports/threads/thread-pool.test.ts',
      title: 'fails a job that exceeds its time limit, and continues with another thread',
    },
    seen: 'that import fails',
    recovers: 'by itself',
  },
  {
    name: 'work that ends its process',
    engine: 'both',
    test: here(
      'testing/simulation/ended-processes.sim.test.ts',
      'gives up an item that ends its processes after %i ms, and no other',
    ),
    seen: 'that import fails after a bounded number of attempts',
    recovers: 'by itself',
  },
  {
    name: 'Redis hung or away',
    engine: 'cluster',
    test: onCluster(
      'testing/e2e/limiter-memory.test.ts',
      'says that it does not know while Redis is %s, and is right afterwards',
    ),
    seen: 'checks 500 internal_error, others 503 unavailable',
    recovers: 'by itself',
  },
  {
    name: 'Redis flushed or restarted',
    engine: 'cluster',
    test: onCluster(
      'testing/e2e/limiter-memory.test.ts',
      'rebuilds the month of a test key after Redis was %s',
    ),
    seen: 'windows begin again; months and revocations stay',
    recovers: 'by itself',
  },
  {
    name: 'Redis back in time',
    engine: 'cluster',
    test: onCluster(
      'testing/e2e/limiter-memory.test.ts',
      'knows what is revoked and what is not paid for after Redis went back to an older memory',
    ),
    seen: 'revoked keys stay 401',
    recovers: 'by itself',
  },
  {
    name: "Redis's script cache flushed",
    engine: 'cluster',
    test: here(
      'engines/redis/limiter.engine.test.ts',
      'counts once after the server has lost its scripts, also in the middle of a pipeline',
    ),
    seen: 'nothing',
    recovers: 'by itself',
  },
  {
    name: 'Redis that may evict',
    engine: 'cluster',
    test: here(
      'testing/disturbances/redis-settings.engine.test.ts',
      'is not ready while Redis may evict keys, and refuses to start on it',
    ),
    seen: '/readyz 503; no start: one line, exit code 2',
    recovers: 'once put right, by itself',
  },
  {
    name: 'Kafka, Cassandra or Redis out of reach',
    engine: 'cluster',
    test: here(
      'testing/e2e/engine-faults.engine.test.ts',
      '%s, clients are told to come again, and the same request finds its outcome afterwards',
    ),
    seen: '503 unavailable with Retry-After',
    recovers: 'by itself',
  },
  {
    name: "Kafka's offsets expired, or a group added, after a growth",
    engine: 'cluster',
    test: here(
      'engines/kafka/grow.engine.test.ts',
      'lets groups begin the new generation although the old one and their offsets have expired',
    ),
    seen: 'nothing',
    recovers: 'by itself',
  },
  {
    name: 'a zombie processor',
    engine: 'cluster',
    test: here(
      'engines/kafka/group.engine.test.ts',
      'reassigns the partitions of a silent member, which notices before that',
    ),
    seen: '503 unavailable until another processor has taken over',
    recovers: 'by itself',
  },
];
