import { DAY_MS, utcMonth } from '../../../schemas/base/time.ts';
import { openEmbeddedEngine } from './engine.ts';

/**
 * Writes to every port in an endless loop, and prints a line for each acknowledged write, until it is killed.
 * Arguments: the data folder, and a name for this run.
 */
const [folder, run] = process.argv.slice(2);
if (folder === undefined || run === undefined) throw new Error('starting without a folder and a run');

/** Concurrent chains of writes, so that transactions have several writes when the process dies. */
const CHAINS = 8;

const engine = openEmbeddedEngine({
  folder,
  clock: { now: () => Date.now() },
  onFatal: (error) => {
    throw error;
  },
});

await Promise.all(Array.from({ length: CHAINS }, (_, chain) => work(chain)));

async function work(chain: number): Promise<never> {
  const id = `${run}-${chain}`;
  for (let step = 1; ; step += 1) {
    const value = `${id}-${step}`;
    await engine.log.append([
      { topic: 'imports', key: id, value: `${value}-a` },
      { topic: 'imports', key: `${id}-other`, value: `${value}-b` },
    ]);
    acknowledged('append', value);
    const root = { version: step, batchId: value, applied: { generation: 1, offset: step }, document: {} };
    const put = [{ kind: 'step', id: String(step).padStart(9, '0'), document: { step } }];
    await engine.store.commit({ table: 'imports', id }, step - 1, { root, put, remove: [] });
    acknowledged('commit', id, step);
    const writer = engine.blobs.create(
      { owner: id, group: 'blobs', name: String(step) },
      { expiresAt: null },
    );
    await writer.write(Buffer.alloc(300_000, step));
    await writer.close();
    acknowledged('blob', id, step);
    const target = { step };
    await engine.digestIndex.put({ kind: 'credential', digest: id, target, version: step, expiresAt: null });
    acknowledged('lookup', id, step);
    await engine.counters.take(id, Number.MAX_SAFE_INTEGER, DAY_MS);
    acknowledged('take', id, step);
    await check(id);
    acknowledged('check', id, step);
  }
}

/** One call of a separate key, within its quotas. */
async function check(keyId: string): Promise<void> {
  const key = { account: 'account', keyId };
  await engine.limiter.putKeyStatus({ ...key, status: 'active', version: 1 });
  await engine.limiter.fillMonth({ ...key, month: utcMonth(Date.now()), used: 0 });
  const { kind } = await engine.limiter.check({
    ...key,
    mode: 'test',
    namespace: 'crash',
    identifier: keyId,
    limit: 1_000_000,
    windowMs: DAY_MS,
    cost: 1,
    quota: { minute: 1_000_000, month: 1_000_000 },
    windowsMax: 100,
    idempotency: null,
  });
  if (kind !== 'answered') throw new Error(`checking: ${kind}`);
}

function acknowledged(...what: (string | number)[]): void {
  // Writes to a pipe are synchronous: after this returns, the line has left the process.
  process.stdout.write(`${what.join(' ')}\n`);
}
