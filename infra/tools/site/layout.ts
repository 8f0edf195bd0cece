// Puts the HTML of a page into its frame: head, navigation, contents, neighbours.
import { SECTIONS } from './navigation.ts';
import { addressOf, type Page, titleOf } from './page.ts';
import { escaped, type Heading, type Rendered } from './render.ts';

/** The files that every page loads, by their addresses. */
export interface Assets {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  readonly fonts: readonly string[];
  /** The prepared index of the search. */
  readonly search: string;
}

/** Stands for the address of the console. A gateway replaces it. */
export const CONSOLE_ADDRESS = 'http://console.invalid';

interface Frame {
  readonly assets: Assets;
  readonly pages: readonly Page[];
}

/** Writes the frames of all pages. */
export function createLayout({ assets, pages }: Frame) {
  const titles = new Map(pages.map((page) => [page.path, titleOf(page)]));
  const operations = Map.groupBy(
    pages.filter(({ group }) => group !== null),
    ({ group }) => group,
  );
  const listed = SECTIONS.flatMap((section) => section.pages);
  const labelOf = (path: string) =>
    listed.find((entry) => entry.path === path)?.label ?? titles.get(path) ?? path;

  const columnOf = (page: Page) =>
    SECTIONS.map(({ title, pages: entries }) => {
      const items = entries.map(({ path }) => {
        const inner = path === 'api' ? operationsOf(page) : '';
        return `<li>${linkTo(path, labelOf(path), path === page.path)}${inner}</li>`;
      });
      return `<h2>${escaped(title)}</h2>\n<ul>${items.join('\n')}</ul>`;
    }).join('\n');

  const operationsOf = ({ path: here, group: open }: Page) => {
    if (open === null) return '';
    const items = (operations.get(open) ?? []).map(
      ({ path }) => `<li>${linkTo(path, labelOf(path), path === here)}</li>`,
    );
    return `<ul>${items.join('\n')}</ul>`;
  };

  const neighboursOf = ({ path, group }: Page) => {
    const order = group === null ? listed : (operations.get(group) ?? []);
    const at = order.findIndex((entry) => entry.path === path);
    const [before, after] = [order[at - 1], order[at + 1]];
    if (at < 0 || (before === undefined && after === undefined)) return '';
    const links = [
      before === undefined
        ? ''
        : `<a href="${addressOf(before.path)}" rel="prev"><span>Previous</span> ${escaped(labelOf(before.path))}</a>`,
      after === undefined
        ? ''
        : `<a href="${addressOf(after.path)}" rel="next"><span>Next</span> ${escaped(labelOf(after.path))}</a>`,
    ];
    return `<nav class="neighbours" aria-label="Previous and next page">${links.join('')}</nav>`;
  };

  return (page: Page, { html, headings }: Rendered): string => {
    const title = titleOf(page);
    const crumb =
      page.group === null ? '' : `<p class="crumb"><a href="/docs/api">API</a> / ${escaped(page.group)}</p>`;
    const markdown = `${page.path === '' ? '/docs/index' : addressOf(page.path)}.md`;
    return document(assets, {
      title: page.path === '' ? 'svc documentation' : `${title} · svc documentation`,
      links: `<link rel="alternate" type="text/markdown" href="${markdown}">`,
      body: `${header()}
<details class="menu"><summary>Menu</summary></details>
<nav class="column" aria-label="Pages">
${columnOf(page)}
</nav>
<main id="content" tabindex="-1">
<article>
${crumb}${html}</article>
<p class="source"><a href="${markdown}">This page in Markdown</a></p>
${neighboursOf(page)}
</main>
${contentsOf(headings)}
${searchDialog(assets.search)}`,
    });
  };
}

/** The page at an address of the site where there is none. */
export function missingPage(assets: Assets): string {
  return document(assets, {
    title: 'Page not found · svc documentation',
    links: '',
    body: `${header()}
<main id="content" class="alone" tabindex="-1">
<article>
<h1>Page not found</h1>
<p>The documentation has no page at this address. <a href="/docs">Open the first page</a>, or search.</p>
</article>
</main>
${searchDialog(assets.search)}`,
  });
}

interface Parts {
  readonly title: string;
  readonly links: string;
  readonly body: string;
}

/** A whole document. Scripts and styles are files: the policy of the pages admits no other. */
export function document({ script, style, icon, fonts }: Assets, { title, links, body }: Parts): string {
  const preloads = fonts.map(
    (font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
${preloads.join('\n')}
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="stylesheet" href="${style}">
${links}
<script type="module" blocking="render" src="${script}"></script>
</head>
<body>
${body}
</body>
</html>
`;
}

function header(): string {
  return `<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/docs"><b>svc</b> <span>Documentation</span></a>
<button type="button" class="search-open" hidden>Search <kbd>/</kbd></button>
<a class="wide" href="/docs/api">API</a>
<a href="${CONSOLE_ADDRESS}/sign-in">Console</a>
<button type="button" class="theme" hidden aria-label="Switch between light and dark">◐</button>
</header>`;
}

export function searchDialog(index: string): string {
  return `<dialog class="search" aria-label="Search" data-index="${index}">
<form method="dialog">
<input type="search" aria-label="Search the documentation" placeholder="Search the documentation" autocomplete="off" spellcheck="false">
<button>Close</button>
</form>
<p class="status" role="status"></p>
<ul></ul>
</dialog>`;
}

/** Headings of the second level; a page with fewer than two has no contents. */
function contentsOf(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2);
  if (shown.length < 2) return '<div></div>';
  const items = shown.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`);
  return `<nav class="contents" aria-labelledby="contents"><h2 id="contents">On this page</h2><ul>${items.join('\n')}</ul></nav>`;
}

function linkTo(path: string, label: string, isHere: boolean): string {
  return `<a href="${addressOf(path)}"${isHere ? ' aria-current="page"' : ''}>${escaped(label)}</a>`;
}
