import { buildSite } from '../site/build-site.ts';
import { SITE } from './digest.ts';
import { buildInPlace } from './put-in-place.ts';

/** Builds the documentation site. */
export async function buildDocs(): Promise<void> {
  await buildInPlace(SITE, buildSite);
}
