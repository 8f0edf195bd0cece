import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeInBrowser } from './in-browser.ts';
import type { OpenConsole } from './open-console.ts';
import { type Picture, takePictures } from './pictures.ts';

describeInBrowser('takePictures', ({ opened }) => {
  let folder: string;
  let lines: string[];
  beforeEach(() => {
    lines = [];
    folder = mkdtempSync(join(tmpdir(), 'svc-pictures-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const take = (...pictures: Picture[]) =>
    takePictures(opened(), pictures, folder, (name, faults) => {
      lines.push(`${name}: ${faults.join() || 'ok'}`);
    });

  it('continues with a new browser if its browser ends in the middle of a picture', async () => {
    const faulty = await take(
      signIn('before'),
      signIn('meanwhile', () => crashBrowser(opened())),
      signIn('after'),
    );
    expect(faulty).toEqual(['meanwhile']);
    expect(lines).toEqual([
      'before: ok',
      expect.stringMatching(/^meanwhile: .*has been closed/),
      'after: ok',
    ]);
    expect(readdirSync(folder).sort()).toEqual(['after.png', 'before.png']);
  });

  it('loses no picture if its browser ends between two', async () => {
    expect(await take(signIn('before'))).toEqual([]);
    await crashBrowser(opened());
    expect(await take(signIn('after'))).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['after.png', 'before.png']);
  });
});

/** A picture of the page to sign in. @param act happens once the page is there */
function signIn(name: string, act: () => Promise<void> = async () => undefined): Picture {
  return {
    name,
    visit: { cookie: null },
    show: async (page) => {
      await page.goto('/sign-in');
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
      await act();
    },
  };
}

async function crashBrowser({ browser }: OpenConsole): Promise<void> {
  const ended = new Promise((resolve) => browser.once('disconnected', resolve));
  const session = await browser.newBrowserCDPSession();
  // Its answer is lost with the browser.
  session.send('Browser.crash').catch(() => undefined);
  await ended;
}
