import { digestOf } from '../../../schemas/base/digest.ts';
import { type Attempt, Clients } from './client.fixture.ts';
import { drawConditions, type Emphasis, TROUBLED_MS } from './conditions.fixture.ts';
import { Random } from './random.fixture.ts';
import { Troublemaker } from './troublemaker.fixture.ts';
import { type Programs, STARTS_AT, World } from './world.fixture.ts';

/** The result of one run. */
export interface Run {
  readonly violations: readonly string[];
  /** Names everything that was appended and observed. */
  readonly trace: string;
}

export interface Stage {
  readonly random: Random;
  readonly world: World;
  readonly clients: Clients;
}

/** The course of a run besides the trouble. */
export interface Play {
  readonly programs: Programs;
  /** The guarantees that are broken at the moment in which a client observes something. */
  readonly brokenBy?: (world: World, attempt: Attempt) => readonly string[];
  /** Plans what is asked for while there is trouble. */
  readonly begin: (stage: Stage) => void;
  /** Lets clients that know nothing ask again, in peace. By default one after the other. */
  readonly askAgain?: (stage: Stage) => Promise<void>;
  /** Returns the rules that are broken once everything is at rest. */
  readonly check: (stage: Stage) => Promise<readonly string[]>;
}

/** One run, which follows from its seed alone: trouble, then peace, then each client that knows nothing asks once more. */
export async function runUnderFaults(
  seed: number,
  { programs, brokenBy, begin, askAgain = askOneByOne, check }: Play,
  emphasis?: Emphasis,
): Promise<Run> {
  const random = new Random(seed);
  const conditions = drawConditions(random, emphasis);
  const world = new World(random, programs, conditions);
  const violations: string[] = [];
  const clients = new Clients(world, (attempt) => {
    if (brokenBy !== undefined) violations.push(...brokenBy(world, attempt));
  });
  const stage = { random, world, clients };
  await world.open();
  try {
    const troublemaker = new Troublemaker(world);
    troublemaker.plan(conditions.troubles);
    begin(stage);
    await world.scheduler.run(STARTS_AT + TROUBLED_MS);
    await troublemaker.heal();
    await world.settle();
    await askAgain(stage);
    violations.push(...(await check(stage)));
  } catch (error) {
    violations.push(error instanceof Error ? String(error.stack) : String(error));
  } finally {
    world.close();
  }
  const observed = clients.attempts.map((attempt) => attempt.observed);
  return { violations, trace: digestOf({ records: world.log.records(), observed }) };
}

/** Nothing may be known of an aggregate before an earlier command has created it. */
export async function askOneByOne({ clients, world }: Stage): Promise<void> {
  for (const intent of clients.unknown()) {
    void clients.ask(intent);
    await world.settle();
  }
}
