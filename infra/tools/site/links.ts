import { dirname, join } from 'node:path/posix';
import { addressOf, type Page } from './page.ts';

/** Returns where a link of a page leads; null if its target is a file of the repository that is no page. */
export type Resolve = (page: Page, link: string) => string | null;

/** Makes the resolver of all links between pages. Addresses with a scheme, and those of the site, stay as they are. */
export function linksBetween(pages: readonly Page[]): Resolve {
  const bySource = new Map(
    pages.flatMap(({ source, path }) => (source === undefined ? [] : [[source, addressOf(path)] as const])),
  );
  return ({ source = '' }, link) => {
    if (/^([a-z]+:|\/|#)/.test(link)) return link;
    const [file = '', anchor] = link.split('#', 2);
    const address = bySource.get(join(dirname(source), file));
    if (address === undefined) return null;
    return anchor === undefined ? address : `${address}#${anchor}`;
  };
}

/** A link, whose text may have code in it, or else a code span, in which nothing is a link. */
const LINK = /\[((?:`[^`]*`|[^[\]`])*)\]\(([^)\s]+)\)|`[^`\n]*`/g;

/** The Markdown of a page as it is served beside it: every link leads to the Markdown of another page. */
export function servedMarkdown(page: Page, resolve: Resolve): string {
  const redirected = (whole: string, text: string | undefined, link: string | undefined) => {
    if (text === undefined || link === undefined) return whole;
    const address = resolve(page, link);
    return address === null ? text : `[${text}](${markdownAddress(address)})`;
  };
  return page.markdown
    .split(/(^```.*?^```$)/ms)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(LINK, redirected)))
    .join('');
}

/** The address of a page's Markdown. Other addresses stay as they are. */
export function markdownAddress(address: string): string {
  const [path = '', anchor] = address.split('#', 2);
  if (!/^\/docs(\/|$)/.test(path)) return address;
  const file = path === '/docs' ? '/docs/index.md' : `${path}.md`;
  return anchor === undefined ? file : `${file}#${anchor}`;
}
