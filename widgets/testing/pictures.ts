import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { axeViolations } from './accessibility.ts';
import type { OpenConsole, Visit, VisitOptions } from './open-console.ts';

export interface Picture {
  readonly name: string;
  readonly visit: VisitOptions;
  /** Brings the empty page into the state that the picture shows. */
  readonly show: (page: Page) => Promise<void>;
}

/**
 * Takes pictures one after the other, as `NAME.png`, and reports what is wrong in each. A browser that ends costs one picture:
 * the next starts it again.
 *
 * @returns the names of the faulty pictures
 */
export async function takePictures(
  console: OpenConsole,
  pictures: readonly Picture[],
  folder: string,
  report: (name: string, faults: readonly string[]) => void,
): Promise<string[]> {
  const faulty: string[] = [];
  for (const picture of pictures) {
    const faults = await takePicture(console, picture, folder).catch((error: unknown) => [String(error)]);
    if (faults.length > 0) faulty.push(picture.name);
    report(picture.name, faults);
  }
  return faulty;
}

async function takePicture(console: OpenConsole, picture: Picture, folder: string): Promise<string[]> {
  await console.reviveBrowser();
  const visit = await console.visit(picture.visit);
  try {
    return await capture(visit, picture, folder);
  } finally {
    await visit.context.close();
  }
}

async function capture({ page, faults }: Visit, { name, show }: Picture, folder: string): Promise<string[]> {
  await show(page);
  // A full page is taken from its top, with what is sticky in its place.
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return [
    ...(await axeViolations(page)),
    ...faults.found.filter((fault) => !/ERR_FAILED/.test(fault)),
    ...(overflow > 0 ? [`the page is ${overflow} px wider than the window`] : []),
  ];
}
