import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { MeasuredPage } from './measured-pages.ts';
import { type Mark, usableAfterClick, watchClick } from './usable.ts';

/** The console's answer to an address that leads nowhere: a page that reads nothing. */
const STATIC_PAGE: Mark & { readonly path: string } = {
  path: '/nowhere',
  heading: 'There is nothing here',
  content: 'main .row .btn',
};

/** Between two clicks, so that the requests of a page do not share the main thread with the next one. */
const REST_MS = 300;

/** Milliseconds from the click on the link to each page until it was usable, by the page's name. Begins at the last page. */
export async function tour(page: Page, stops: readonly MeasuredPage[]): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const stop of stops) times[stop.name] = await change(page, stop, stop.link);
  return times;
}

/** Milliseconds from a click until the static page was usable. Leads back to the page that was shown. */
export async function changeToStatic(page: Page): Promise<number> {
  await page.evaluate(addButton, STATIC_PAGE.path);
  const ms = await change(page, STATIC_PAGE, '#bench-static');
  await page.evaluate(() => document.querySelector('#bench-static')?.remove());
  await page.goBack();
  return ms;
}

async function change(page: Page, to: Mark, link: string): Promise<number> {
  await watchClick(page, to);
  await page.locator(link).click();
  const ms = await usableAfterClick(page);
  await sleep(REST_MS);
  return ms;
}

/** Runs in the page. No link leads to the static page, so that a button does what the router's links do. */
function addButton(path: string): void {
  const button = document.createElement('button');
  button.id = 'bench-static';
  button.textContent = 'Static';
  Object.assign(button.style, { position: 'fixed', bottom: '0', right: '0', zIndex: '9' });
  button.addEventListener('click', () => history.pushState(null, '', path));
  document.body.append(button);
}
