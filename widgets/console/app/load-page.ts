import { askBeforeLoss } from '../parts/form/shown-once.tsx';
import { isAway } from '../parts/loading/away.ts';

/** The tries to load the code of a page. */
const TRIES_MAX = 3;

/** The addresses of styles that did not arrive. The bundler asks for each once, and would show a page without them. */
const missing = new Set<string>();

/** Notes from now on which styles do not arrive, also those of a page that is loaded ahead. */
export function noteMissingStyles(): void {
  const note = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') missing.add(target.href);
  };
  addEventListener('error', note, { capture: true });
}

/**
 * Loads the code of a page with its styles. A tab that was open while the service was replaced asks for code that is gone: then the
 * page is loaded again as a whole, with the code of now. While the service is away, the bar above the page says so, and the code is
 * loaded as soon as the service answers. Otherwise it is tried once more, because what fails late was asked for before that.
 *
 * @throws {TypeError} where the code cannot be had for another reason
 */
export async function loadOrReload<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let tries = 1; tries < TRIES_MAX; tries += 1) {
    try {
      return await loadStyled(load);
    } catch (error) {
      const served = await servedConsole();
      if (served === 'other') return await reload();
      if (served === 'same' && tries > 1) throw error;
      if (served === 'none') await untilServed();
    }
  }
  return await loadStyled(load);
}

/** Loads the code of a page after the styles that did not arrive before. */
async function loadStyled<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    await Promise.all([...missing].map(loadStyle));
    return await load();
  } catch (error) {
    throw missing.size === 0
      ? error
      : new TypeError('importing a page: its styles are missing', { cause: error });
  }
}

/** True for the error of an import whose file did not arrive. */
export function isUnloaded(error: unknown): boolean {
  return error instanceof TypeError && /import|module/i.test(error.message);
}

/** Asks again for styles that did not arrive. */
async function loadStyle(href: string): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  const failed = links.find((link) => link.href === href);
  const link = failed?.cloneNode();
  if (!(link instanceof HTMLLinkElement)) return;
  const loaded = new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', reject);
  });
  failed?.replaceWith(link);
  await loaded;
  missing.delete(href);
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
