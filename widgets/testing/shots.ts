// Takes a picture of every page and state of the console on the real service.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../../infra/tools/command-line.ts';
import { ServiceProcess } from '../../infra/tools/service-process/service-process.ts';
import { HELD_SCENES } from './held-scenes.ts';
import { type Look, PICTURE_OPTIONS, wantedPictures } from './looks.ts';
import { OpenConsole } from './open-console.ts';
import { OPENED_SCENES } from './opened-scenes.ts';
import { PAST_SCENES } from './past/past-scenes.ts';
import { PAST_MS, type PastData, seedPast } from './past/seed-past.ts';
import { ServiceClock } from './past/service-clock.ts';
import { type Picture, takePictures } from './pictures.ts';
import { SCENES, type Scene, show } from './scenes.ts';

const HELP = `
npm run shots -- [options] [beginning of a name ...]

Takes a picture of every page and state of the console on the real service, into the folder .shots, and looks for what axe finds
in them. "npm run shots -- imports keys" takes those whose names begin so.

Without options it takes each in four widths, light and dark, and once each in forced colors, right to left and at 400 %.

  --width N                takes this width only; may be repeated
  --light, --dark          takes this scheme only
  --forced-colors, --rtl,
  --zoom PERCENT           takes pictures that have all of these, and no others
`;

const FOLDER = join(import.meta.dirname, '../../.shots');

const { prefixes, looks, isEverything } = wantedPictures(readCommandLine(HELP, PICTURE_OPTIONS));
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
  const console = await OpenConsole.start({
    environment: clock.environment,
    hasSite: true,
    startService: ServiceProcess.start,
  });
  try {
    const data = await seedPast(console, clock);
    const pictures = scenes.flatMap((scene) => looks.map((look) => pictureOf(scene, look, data)));
    const faulty = await takePictures(console, pictures, FOLDER, report);
    for (const name of faulty) process.stdout.write(`FAULTY ${name}\n`);
    process.stdout.write(`${pictures.length} pictures in .shots/, ${faulty.length} with faults\n`);
    return faulty.length;
  } finally {
    await console.close();
    clock.dispose();
  }
}

function pictureOf(
  scene: Scene<PastData>,
  { name, scheme, viewport, isForced, isRightToLeft }: Look,
  data: PastData,
): Picture {
  return {
    name: `${scene.name}-${name}`,
    visit: {
      cookie: data.cookies[scene.visitor ?? 'owner'],
      colorScheme: scheme,
      forcedColors: isForced ? 'active' : 'none',
      viewport,
    },
    show: async (page) => {
      if (isRightToLeft) await page.addInitScript(turnAround);
      await show(scene, page, data);
    },
  };
}

/** Lays the page out from right to left, from its first frame on. */
function turnAround(): void {
  addEventListener('readystatechange', () => document.documentElement.setAttribute('dir', 'rtl'), true);
}

function report(name: string, faults: readonly string[]): void {
  process.stdout.write(`${faults.length === 0 ? 'ok    ' : 'FAULTY'} ${name}\n`);
  for (const fault of faults) process.stdout.write(`       ${fault.replaceAll('\n', '\n       ')}\n`);
}
