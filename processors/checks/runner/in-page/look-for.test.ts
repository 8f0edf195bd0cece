import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TopFrame } from '../top-frame.ts';
import { launchUnguarded } from '../unguarded.fixture.ts';
import type { Found } from './judge-parts.ts';
import { lookingFor, type Wanted } from './look-for.ts';

const OVER = 'position:fixed;inset:0;z-index:9';
const FAR = '<div style="height:90000px"></div>';
const shadow = (mode: string) => `<p id=host></p><script>
  document.querySelector('#host').attachShadow({ mode: '${mode}' }).innerHTML = '<h1>Welcome</h1>';
</script>`;

/** Documents, each with what a person sees of the heading "Welcome". */
const HEADINGS: readonly (readonly [what: string, html: string, found: Found])[] = [
  ['plain', '<h1>Welcome</h1>', 'shown'],
  ['of another level', '<h3>Welcome</h3>', 'shown'],
  ['by its role', '<div role=heading>Welcome</div>', 'shown'],
  ['in parts', '<h1>Wel<b>co</b><span style="display:contents">me</span></h1>', 'shown'],
  ['with marks that have no width', '<h1>&nbsp; Wel&shy;co&ZeroWidthSpace;me\n</h1>', 'shown'],
  ['with marks of direction', '<h1>\u2068Wel\u200Cco\u2069\u202Bme\u202C\u061C</h1>', 'shown'],
  ['with more that is not seen', '<h1>Welcome<span hidden>!</span><i style="opacity:0">?</i></h1>', 'shown'],
  [
    'with text for screen readers',
    '<h1>Welcome<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)">, guest</span></h1>',
    'shown',
  ],
  ['in an open shadow tree', shadow('open'), 'shown'],
  ['in a slot', '<div><template shadowrootmode=open><slot></slot></template><h1>Welcome</h1></div>', 'shown'],
  ['below, where one can scroll', `${FAR}<h1>Welcome</h1>`, 'shown'],
  [
    'below, in a part that scrolls',
    `<div style="height:90px;overflow:auto">${FAR}<h1>Welcome</h1></div>`,
    'shown',
  ],
  [
    'under a sticky header',
    `<header style="position:sticky;top:0;height:80px;background:red"></header>${FAR}<h1>Welcome</h1>${FAR}`,
    'shown',
  ],
  [
    'above a banner',
    `<h1>Welcome</h1><div style="${OVER};top:300px;background:white">Cookies?</div>`,
    'shown',
  ],
  ['under a layer without a colour', `<h1>Welcome</h1><div style="${OVER}"></div>`, 'shown'],
  ['under a shadow', `<h1>Welcome</h1><div style="${OVER};background:#0004"></div>`, 'shown'],
  ['under snow', `<h1>Welcome</h1><canvas style="${OVER};pointer-events:none"></canvas>`, 'shown'],
  ['through which a pointer passes', '<h1 style="pointer-events:none">Welcome</h1>', 'shown'],
  [
    'in the card of a link',
    '<div style="position:relative"><h1>Welcome</h1><a href=/ style="position:absolute;inset:0"></a></div>',
    'shown',
  ],
  [
    'white on a picture',
    '<div style="background:url(data:,) black;color:white"><h1>Welcome</h1></div>',
    'shown',
  ],
  [
    'white on a layer behind it',
    '<style>h1::before{content:"";position:absolute;inset:0;background:#000;z-index:-1}</style><h1 style="color:white;position:relative">Welcome</h1>',
    'shown',
  ],
  [
    'filled with a gradient',
    '<h1 style="background:linear-gradient(red,blue);background-clip:text;color:transparent">Welcome</h1>',
    'shown',
  ],
  ['on a dark page', '<meta name=color-scheme content=dark><h1>Welcome</h1>', 'shown'],
  [
    'after a twin that is hidden',
    '<h1 hidden>Welcome</h1><h1 style="height:0;overflow:hidden">Welcome</h1><h1>Welcome</h1>',
    'shown',
  ],
  [
    'beside a form whose field is called childNodes',
    '<form><input name=childNodes></form><h1>Welcome</h1>',
    'shown',
  ],
  [
    'that is drawn once it is near',
    `${FAR}<div style="content-visibility:auto"><h1>Welcome</h1></div>`,
    'shown',
  ],
  [
    'on a page that scrolls slowly',
    `<style>html{scroll-behavior:smooth}</style>${FAR}<h1>Welcome</h1>`,
    'shown',
  ],
  [
    'that appears once it is near',
    `${FAR}<h1 style="opacity:0">Welcome</h1><script>
      const heading = document.querySelector('h1');
      new IntersectionObserver(([{ isIntersecting }]) => {
        if (isIntersecting) heading.style.opacity = '1';
      }).observe(heading);
    </script>`,
    'shown',
  ],
  [
    'below, under a window in the middle',
    `${FAR}<h1>Welcome</h1>${FAR}<div style="${OVER};inset:200px 0;background:white">News?</div>`,
    'shown',
  ],
  [
    'under a tint',
    `<h1>Welcome</h1><div style="${OVER};background:pink;mix-blend-mode:multiply"></div>`,
    'shown',
  ],
  [
    'beside icons',
    '<h1><i>\u{E000}</i><i aria-hidden=true style="font-family:Material Icons">home</i> Welcome</h1>',
    'shown',
  ],
  ['beside what screen readers leave out', '<h1>Welcome <i aria-hidden=true>Error</i></h1>', 'absent'],
  ['without display', '<h1 style="display:none">Welcome</h1>', 'unseen'],
  ['without visibility', '<h1 style="visibility:hidden">Welcome</h1>', 'unseen'],
  ['transparent', '<h1 style="opacity:0">Welcome</h1>', 'unseen'],
  ['transparent by a filter', '<h1 style="filter:blur(0) opacity(5%)">Welcome</h1>', 'unseen'],
  ['in something transparent', '<div style="opacity:.2"><h1 style="opacity:.2">Welcome</h1></div>', 'unseen'],
  ['out of the page', '<h1 style="position:absolute;left:-9999px">Welcome</h1>', 'unseen'],
  ['below, where a person cannot scroll', `<body style="overflow:hidden">${FAR}<h1>Welcome</h1>`, 'unseen'],
  ['clipped', '<h1 style="clip-path:inset(100%)">Welcome</h1>', 'unseen'],
  ['of one pixel', '<h1 style="width:1px;height:1px;overflow:hidden">Welcome</h1>', 'unseen'],
  ['of no size', '<h1 style="transform:scale(0)">Welcome</h1>', 'unseen'],
  ['in letters of no size', '<h1 style="font-size:0">Welcome</h1>', 'unseen'],
  ['indented out of its box', '<h1 style="text-indent:-9999px;overflow:hidden">Welcome</h1>', 'unseen'],
  ['without a colour', '<h1 style="color:transparent">Welcome</h1>', 'unseen'],
  ['white on white', '<h1 style="color:#fff">Welcome</h1>', 'unseen'],
  [
    'almost white on white',
    '<div style="background:oklch(1 0 0)"><h1 style="color:#fcfcfc">Welcome</h1></div>',
    'unseen',
  ],
  ['inert', '<h1 inert>Welcome</h1>', 'unseen'],
  ['in closed details', '<details><summary>More</summary><h1>Welcome</h1></details>', 'unseen'],
  ['in content that is not drawn', '<div style="content-visibility:hidden"><h1>Welcome</h1></div>', 'unseen'],
  [
    'behind a dialog',
    '<h1>Welcome</h1><dialog>Log in</dialog><script>document.querySelector("dialog").showModal()</script>',
    'unseen',
  ],
  ['behind an overlay', `<h1>Welcome</h1><div style="${OVER};background:white">Error 500</div>`, 'covered'],
  [
    'behind an overlay that a pointer passes through',
    `<h1>Welcome</h1><div style="${OVER};background:white;pointer-events:none">Error 500</div>`,
    'covered',
  ],
  ['behind a picture', `<h1>Welcome</h1><img src=/x style="${OVER};width:100%;height:100%">`, 'covered'],
  [
    'behind a loading page',
    '<style>body::before{content:"";position:fixed;inset:0;background:#fff}</style><h1>Welcome</h1>',
    'covered',
  ],
  ['for screen readers only', '<h1 aria-label=Welcome>Error 500</h1>', 'absent'],
  [
    'as a label that is hidden',
    '<p id=label hidden>Welcome</p><h1 aria-labelledby=label>Error 500</h1>',
    'absent',
  ],
  ['as the text of a picture', '<h1><img alt=Welcome></h1>', 'absent'],
  ['as a hint', '<h1 title=Welcome>Error 500</h1>', 'absent'],
  ['that screen readers leave out', '<h1 aria-hidden=true>Welcome</h1>', 'unseen'],
  ['that is none', '<h1 role=presentation>Welcome</h1>', 'unseen'],
  ['in a template', '<template><h1>Welcome</h1></template>', 'absent'],
  ['in a frame', '<iframe srcdoc="<h1>Welcome</h1>"></iframe>', 'absent'],
  ['in a closed shadow tree', shadow('closed'), 'absent'],
  ['with more', '<h1>Welcome back</h1>', 'absent'],
  ['in other letters', '<h1>welcome</h1>', 'absent'],
];

/** Documents, each with what a person sees of a text. */
const TEXTS: readonly (readonly [what: string, html: string, text: string, found: Found])[] = [
  ['in other letters', '<p>OPEN all day', 'open ALL day', 'shown'],
  ['over a line break', 'Open all<br>day', 'open all day', 'shown'],
  ['over blocks', '<p>Open all</p><p>day</p>', 'open all day', 'shown'],
  ['over parts', 'Open <b>al</b>l d<i>ay</i>', 'open all day', 'shown'],
  [
    'after a twin in a menu',
    '<nav style="display:none">Sign up</nav><p style="visibility:hidden">Sign up</p><p>Sign up',
    'Sign up',
    'shown',
  ],
  [
    'after a twin out of the page',
    '<p style="position:fixed;left:-999px">Sign up</p><p>Sign up',
    'Sign up',
    'shown',
  ],
  ['at the end of a long text', `<p>${'word '.repeat(20_000)}Sign up`, 'Sign up', 'shown'],
  ['with signs', '<p>What? (a+b)*[c] $5', 'what? (a+b)*[c] $5', 'shown'],
  ['with a ligature', '<p>\u{FB01}nd', 'find', 'shown'],
  ['as the value of a field', '<input value="Ada Lovelace">', 'Lovelace', 'shown'],
  ['as the value of an area', '<textarea>Ada Lovelace</textarea>', 'Lovelace', 'shown'],
  ['as a choice', '<select><option>One<option selected>Two</select>', 'Two', 'shown'],
  ['as a password', '<input type=password value=secret>', 'secret', 'absent'],
  ['as a choice that is not made', '<select><option>One<option selected>Two</select>', 'One', 'absent'],
  ['in a hidden field', '<input type=hidden value=secret>', 'secret', 'absent'],
  ['in a script', '<script>"Sign up"</script>', 'Sign up', 'absent'],
  ['partly hidden', 'Sign <span style="opacity:0">up</span>', 'Sign up', 'unseen'],
  ['behind an overlay', `Sign up<div style="${OVER};background:red">`, 'Sign up', 'covered'],
];

describe('lookingFor', () => {
  let closeBrowser: () => Promise<void>;
  let page: Page;
  let frame: TopFrame;

  beforeAll(async () => {
    const { context, close } = await launchUnguarded();
    closeBrowser = close;
    page = await context.newPage();
    await page.setViewportSize({ width: 1_280, height: 720 });
    frame = await TopFrame.watch(page, {
      origin: 'null',
      runId: '',
      proxy: { url: '', username: '', password: '' },
    });
  });
  afterAll(() => closeBrowser());

  async function judges(html: string, wanted: Wanted, found: Found): Promise<void> {
    await page.goto('about:blank');
    await page.setContent(html, { waitUntil: 'domcontentloaded' });
    const look = async () => (await frame.look(lookingFor(wanted)))?.value;
    await expect.poll(look).toBe(found);
  }

  it.each(HEADINGS)('judges a heading %s', async (_what, html, found) => {
    await judges(html, { kind: 'heading', text: 'Welcome', level: null }, found);
  });

  it.each(TEXTS)('judges a text %s', async (_what, html, text, found) => {
    await judges(html, { kind: 'text', text }, found);
  });
});
