// Takes a picture of every page and state of the console on the real service: `npm run shots`. Says what axe finds in them.
// `npm run shots -- imports keys` takes those whose names begin so; looks.ts has the options that take fewer of each.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { axeViolations } from './accessibility.ts';
import { HELD_SCENES } from './held-scenes.ts';
import { type Look, wantedPictures } from './looks.ts';
import { OpenConsole } from './open-console.ts';
import { OPENED_SCENES } from './opened-scenes.ts';
import { PAST_SCENES } from './past/past-scenes.ts';
import { PAST_MS, type PastData, seedPast } from './past/seed-past.ts';
import { ServiceClock } from './past/service-clock.ts';
import { SCENES, type Scene, show } from './scenes.ts';

const FOLDER = join(import.meta.dirname, '../../.shots');

const { prefixes, looks, isEverything } = wantedPictures(process.argv.slice(2));
/** Weeks of a team's work, in seconds. */
const LIMITS = { http: { managementPerMinute: 100_000 } };
const ALL: readonly Scene<PastData>[] = [...SCENES, ...HELD_SCENES, ...OPENED_SCENES, ...PAST_SCENES];
const scenes = ALL.filter(
  ({ name }) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix)),
);

process.exitCode = (await takeAll()) === 0 ? 0 : 1;

/** Returns the number of pictures with a fault. */
async function takeAll(): Promise<number> {
  // Pictures of other looks stay for comparison.
  if (isEverything) rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const clock = new ServiceClock(PAST_MS);
  const console = await OpenConsole.start({ environment: clock.environment, limits: LIMITS, hasSite: true });
  let faulty = 0;
  try {
    const data = await seedPast(console, clock);
    for (const scene of scenes) {
      for (const look of looks) {
        const faults = await take(console, scene, data, look);
        if (faults.length > 0) faulty += 1;
        report(`${scene.name}-${look.name}`, faults);
      }
    }
  } finally {
    await console.close();
    clock.dispose();
  }
  process.stdout.write(`${scenes.length * looks.length} pictures in .shots/, ${faulty} with faults\n`);
  return faulty;
}

/** Takes one picture. Returns what is wrong in it. */
async function take(
  console: OpenConsole,
  scene: Scene<PastData>,
  data: PastData,
  { name, scheme, viewport, isForced, isRightToLeft }: Look,
): Promise<readonly string[]> {
  const { page, context, faults } = await console.visit({
    cookie: data.cookies[scene.visitor ?? 'owner'],
    colorScheme: scheme,
    forcedColors: isForced ? 'active' : 'none',
    viewport,
  });
  try {
    if (isRightToLeft) await page.addInitScript(turnAround);
    await show(scene, page, data);
    // A full page is taken from its top, with what is sticky in its place.
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: join(FOLDER, `${scene.name}-${name}.png`), fullPage: true });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    return [
      ...(await axeViolations(page)),
      ...faults.found.filter((fault) => !/ERR_FAILED/.test(fault)),
      ...(overflow > 0 ? [`the page is ${overflow} px wider than the window`] : []),
    ];
  } catch (error) {
    return [String(error)];
  } finally {
    await context.close();
  }
}

/** Lays the page out from right to left, from its first frame on. */
function turnAround(): void {
  addEventListener('readystatechange', () => document.documentElement.setAttribute('dir', 'rtl'), true);
}

function report(name: string, faults: readonly string[]): void {
  process.stdout.write(`${faults.length === 0 ? 'ok    ' : 'FAULTY'} ${name}\n`);
  for (const fault of faults) process.stdout.write(`       ${fault.replaceAll('\n', '\n       ')}\n`);
}
