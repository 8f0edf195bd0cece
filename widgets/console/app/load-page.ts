import { askBeforeLoss } from '../parts/form/shown-once.tsx';
import { isAway } from '../parts/loading/away.ts';

/** The tries to load the code of a page. Before each further one, the service has answered again. */
const TRIES_MAX = 3;

/**
 * Loads the code of a page. A tab that was open while the service was replaced asks for code that is gone: then the page is
 * loaded again as a whole, with the code of now. While the service is away, the bar above the page says so, and the code is
 * loaded as soon as the service answers.
 *
 * @throws {TypeError} where the code cannot be had for another reason
 */
export async function loadOrReload<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let tries = 1; tries < TRIES_MAX; tries += 1) {
    try {
      return await load();
    } catch (error) {
      const served = await servedConsole();
      if (served === 'same') throw error;
      if (served === 'other') return await reload();
      await untilServed();
    }
  }
  return await load();
}

/** Loads the whole page again, unless the person stays for the sake of what is not stored. Never resolves. */
export function reload(): Promise<never> {
  askBeforeLoss(() => location.reload());
  return new Promise<never>(() => undefined);
}

/** Resolves when the bar, which tries again and again, finds the service. */
async function untilServed(): Promise<void> {
  isAway.set(true);
  await new Promise<void>((resolve) => {
    const stop = isAway.listen((away) => {
      if (away) return;
      stop();
      resolve();
    });
  });
}

/** The console that the service serves now: with the main script of this tab, with another one, or none because it is away. */
async function servedConsole(): Promise<'same' | 'other' | 'none'> {
  const script = document.querySelector('script[type=module][src]')?.getAttribute('src');
  if (script === null || script === undefined) return 'same';
  try {
    const response = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' });
    return response.ok && !(await response.text()).includes(script) ? 'other' : 'same';
  } catch {
    return 'none';
  }
}
