import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { TOPICS } from '../../../topics/catalogue.ts';
import { partitionOf } from '../../../topics/partition.ts';
import { Clients, type Intent } from './client.fixture.ts';
import { IDLE_AFTER_MS } from './delivery.fixture.ts';
import { ledger } from './ledger.fixture.ts';
import type { Mutation } from './mutating.fixture.ts';
import { Random } from './random.fixture.ts';
import { World } from './world.fixture.ts';

const ACCOUNTS = 800;
const PARTITION = 0;
/** The time between two commands of the crowd: short enough that no quiet time begins. */
const BETWEEN_MS = 15;
const STEP_MS = 10;
const CROWD_MS_MAX = 60 * SECOND_MS;
/** The latest moment of the late command within the quiet time. */
const QUIET_MS_MAX = 100;
/** Twice what a command takes of which nothing is in the way. */
const ANSWER_MS_MAX = 300;

const CROWD = Array.from({ length: 100 * ACCOUNTS }, (_, index) => `account-${index}`)
  .filter((name) => partitionOf(name, TOPICS[ledger.topic].partitions) === PARTITION)
  .slice(0, ACCOUNTS);

/**
 * One run in which nothing goes wrong: many accounts of one partition have effects to tidy up, and a command arrives while
 * that is under way. Returns what took too long.
 */
export async function simulateCrowd(seed: number, mutation: Mutation = {}): Promise<readonly string[]> {
  const random = new Random(seed);
  const subscriptions = mutation.subscriptions ?? ((engines) => [foldSubscription(ledger, engines)]);
  const world = new World(random, { ...mutation, subscriptions }, null);
  const clients = new Clients(world);
  await world.open();
  try {
    for (const [index, account] of CROWD.entries())
      world.scheduler.after(
        index * BETWEEN_MS,
        () => void clients.ask(intent(account, 'notify', { to: 'other' })),
      );
    const end = world.scheduler.now + CROWD_MS_MAX;
    do await world.scheduler.run(world.scheduler.now + STEP_MS);
    while (
      world.scheduler.now < end &&
      (world.log.records().length < 2 * ACCOUNTS || world.groups.lag() > 0)
    );
    await world.scheduler.run(world.scheduler.now + IDLE_AFTER_MS + random.between(0, QUIET_MS_MAX));
    const askedAt = world.scheduler.now;
    let answeredAt = Infinity;
    void clients.ask(intent(CROWD[0] as string, 'touch', {})).then(() => {
      answeredAt = world.scheduler.now;
    });
    await world.settle();
    const tookMs = answeredAt - askedAt;
    const unfinished = clients.attempts.filter(({ observed }) => observed?.kind !== 'done');
    return [
      ...(unfinished.length > 0 ? [`${unfinished.length} commands had no effect`] : []),
      ...(tookMs > ANSWER_MS_MAX ? [`a command took ${tookMs} ms because of others`] : []),
    ];
  } finally {
    world.close();
  }
}

function intent(aggregate: string, type: string, input: Intent['input']): Intent {
  return { topic: ledger.topic, aggregate, type, input, key: null, repeatable: false };
}
