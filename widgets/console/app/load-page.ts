/**
 * Loads the code of a page. A tab that was open while the service was replaced asks for code that is gone: then the page is
 * loaded again as a whole, with the code of now.
 *
 * @throws {TypeError} where the code cannot be had for another reason
 */
export async function loadOrReload<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    if (!(await isReplaced())) throw error;
    location.reload();
    return await new Promise<never>(() => undefined);
  }
}

/** True if the service now serves a console with another main script than the one of this tab. */
async function isReplaced(): Promise<boolean> {
  const script = document.querySelector('script[type=module][src]')?.getAttribute('src');
  if (script === null || script === undefined) return false;
  try {
    const response = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' });
    return response.ok && !(await response.text()).includes(script);
  } catch {
    return false;
  }
}
