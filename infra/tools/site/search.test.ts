import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { findPassages } from '../../../widgets/docs/find-passages.ts';
import { SEARCH_OPTIONS } from '../../../widgets/docs/search-options.ts';
import { SEARCH_WORDS } from './search-words.ts';

const BUILT = join(import.meta.dirname, '../../../widgets/dist/docs');
const [name = ''] = globSync('assets/search-*.json', { cwd: BUILT });
const index = MiniSearch.loadJSON(readFileSync(join(BUILT, name), 'utf8'), SEARCH_OPTIONS);

function found(query: string, count: number): string[] {
  return findPassages(index, query)
    .slice(0, count)
    .map(({ id }) => id.replace(/^\/docs\/?/, ''));
}

/** Words of people, each with the places that answer them. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  csp: [
    'reference/checklist-widget#content-security-policy',
    'reference/import-widget#content-security-policy',
  ],
  excel: ['csv-import#correcting-rows-in-a-spreadsheet'],
  xlsx: ['csv-import#correcting-rows-in-a-spreadsheet'],
  semicolon: ['reference/cli#--fix', 'reference/import-widget#fix-it-here'],
  'semicolon csv': ['reference/cli#--fix'],
  tsv: ['reference/imports#files'],
  umlaut: ['reference/imports#files'],
  'utf-8': ['reference/imports#files'],
  bom: ['reference/imports#files'],
  'duplicate rows': ['csv-import#pulling'],
  'file too large': ['reference/imports#limits'],
  changelog: ['changelog'],
  'release notes': ['changelog'],
  version: ['changelog'],
  downgrade: ['deployment#a-new-version'],
  'unlock customer': ['reference/rate-limits#looking-and-resetting'],
  'locked out': ['reference/rate-limits#looking-and-resetting'],
  'fail open': ['rate-limits#without-an-answer'],
  'sliding window': ['rate-limits#fixed-windows'],
  'token bucket': ['rate-limits#fixed-windows'],
  'leaky bucket': ['rate-limits#fixed-windows'],
  go: ['other-languages'],
  'go client': ['other-languages'],
  java: ['other-languages'],
  rust: ['other-languages'],
  kotlin: ['other-languages'],
  csharp: ['other-languages'],
  generator: ['other-languages'],
  'C++': ['other-languages'],
  'c#': ['other-languages'],
  '.NET': ['other-languages'],
  sdk: ['client'],
  commonjs: ['client'],
  'next.js': ['client#rate-limits'],
  'rate limit headers': ['client#rate-limits'],
  backoff: ['client#errors'],
  429: ['errors#rate_limited'],
  401: ['errors#unauthorized'],
  pagination: ['reference#lists'],
  timezone: ['reference#a-request-and-its-answer'],
  'delete user data GDPR': ['security-model#erasure'],
  'right to be forgotten': ['security-model#erasure'],
  ttl: ['reference/imports#retention'],
  cors: ['reference/checklist-widget#what-goes-wrong'],
  iframe: ['reference/checklist-widget#what-goes-wrong'],
  'dark mode': ['reference/checklist-widget#the-script'],
  accessibility: ['reference/checklist-widget', 'reference/feedback-widget#what-a-visitor-sees'],
  i18n: ['reference/feedback-widget#data-labels'],
  captcha: ['reference/feedback#submissions'],
  offline: ['rate-limits#without-an-answer', 'checklist#the-outbox'],
  webhook: ['reference/usage#events-of-a-billing-provider'],
  'webhooks retry': ['which-limits#webhooks', 'reference/usage#events-of-a-billing-provider'],
  price: ['reference/usage#subscription'],
  saml: ['settings#OIDC_ISSUER'],
  okta: ['settings#OIDC_ISSUER'],
  'single sign-on': ['settings#OIDC_ISSUER'],
  login: ['reference/people#accounts'],
  'forgot password': ['reference/people#invitations-and-reset-links'],
  "can't sign in": ['reference/people#accounts', 'reference/people#wrong-passwords'],
  "can't": ['errors'],
  cron: ['browser-checks'],
  flaky: ['reference/checks#runs'],
  ssl: ['tutorials/operator#3-give-it-an-address', 'deployment#what-stands-in-front-of-the-gateways'],
  nginx: ['deployment#what-stands-in-front-of-the-gateways'],
  docker: ['deployment#the-image'],
  helm: ['deployment#on-kubernetes'],
  postgres: ['deployment'],
  liveness: ['reference/operations#probes'],
  'disaster recovery': ['backup', 'multi-region'],
  'high availability': ['durability', 'multi-region'],
  tracing: ['traces'],
  cve: ['security'],
  licence: [''],
};

describe('the search', () => {
  it.each([
    ['rate_limited', 'errors#rate_limited'],
    ['SVC_DATA_FOLDER', 'settings#SVC_DATA_FOLDER'],
    ['recordEvent', 'api/recordEvent'],
    ['rotate key', 'api/rotateKey'],
    ['restore backup', 'backup'],
    ['sso', 'settings#OIDC_ISSUER'],
    ['throttle', 'rate-limits'],
    ['fastify', 'client#rate-limits'],
    ['webhook signature', 'reference/usage#events-of-a-billing-provider'],
  ])('finds what "%s" asks for among the first three', (query, place) => {
    expect(found(query, 3)).toContain(place);
  });

  it.each(Object.entries(ASKED))('leads from "%s" to %s within four results', (query, places) => {
    expect(found(query, 4)).toEqual(expect.arrayContaining(places as string[]));
  });

  it('answers a single letter with words that begin with it', () => {
    const letters = [...'bcdefghjklmnopqrstuvwxyz'];
    const first = letters.map((letter) => Object.keys(index.search(letter)[0]?.match ?? {})[0]?.[0]);
    expect(first).toEqual(letters);
  });

  it('has its further words at places that exist', () => {
    const places = Object.keys(SEARCH_WORDS).filter((place) => !index.has(`/docs${place && `/${place}`}`));
    expect(places).toEqual([]);
  });
});
