import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explaining, type Seen } from './in-page/explain.ts';
import type { Found } from './in-page/judge-parts.ts';
import { lookingFor, type Wanted } from './in-page/look-for.ts';
import { sayMissing } from './seen-sentences.ts';
import { TopFrame } from './top-frame.ts';
import { launchUnguarded } from './unguarded.fixture.ts';

const WELCOME: Wanted = { kind: 'heading', text: 'Welcome', level: null };
const OVER = 'position:fixed;inset:0;z-index:9;background:white';
const OPENING = '<script>document.querySelector("dialog").showModal()</script>';

/** Documents that lack what a step expects, each with the sentences about it. */
const SENTENCES: readonly (readonly [what: string, html: string, wanted: Wanted, sentences: string])[] = [
  [
    'a question to robots',
    '<h1>Are you a robot?</h1><p>Verify that you are human.</p>',
    WELCOME,
    'No visible heading "Welcome". Visible heading: "Are you a robot?".',
  ],
  ['no heading', '<p>Loading…</p>', WELCOME, 'No visible heading "Welcome". The page shows no heading.'],
  [
    'many headings, and one that is like the expected one',
    `${'<h2>Part</h2>'.repeat(40)}<h1>Welcome!</h1>`,
    WELCOME,
    'No visible heading "Welcome". Visible headings: "Welcome!", "Part", "Part" and more. Compare them letter by letter.',
  ],
  [
    'a heading that only looks the same',
    '<h1>Sign\u2011up</h1>',
    { kind: 'heading', text: 'Sign-up', level: null },
    'No visible heading "Sign-up". Visible heading: "Sign\u2011up". Compare them letter by letter.',
  ],
  [
    'a heading of another level',
    '<h2>Welcome</h2>',
    { kind: 'heading', text: 'Welcome', level: 1 },
    'No visible heading of level 1 "Welcome". Visible heading: "Welcome" (level 2).',
  ],
  [
    'a long heading with quotes, turned around and over several lines',
    `<h1 style="overflow-wrap:anywhere">a\u202E"b"<br>\n${'c'.repeat(500)}</h1>`,
    WELCOME,
    `No visible heading "Welcome". Visible heading: "a\\"b\\" ${'c'.repeat(54)}…".`,
  ],
  [
    'a heading that the page hides, beside one that it shows',
    '<h1 style="opacity:0">Secret</h1><h1>Shown</h1>',
    WELCOME,
    'No visible heading "Welcome". Visible heading: "Shown".',
  ],
  [
    'a heading behind a modal dialog',
    `<h1>Welcome</h1><dialog><h2>Cookies?</h2></dialog>${OPENING}`,
    WELCOME,
    'The heading "Welcome" is behind a modal dialog, which a run does not close. Visible heading: "Cookies?".',
  ],
  [
    'a modal dialog in a shadow tree',
    `<h1>Welcome</h1><div id=host></div><script>
      const root = document.querySelector('#host').attachShadow({ mode: 'open' });
      root.innerHTML = '<dialog>Cookies?</dialog>';
      root.querySelector('dialog').showModal();
    </script>`,
    WELCOME,
    'The heading "Welcome" is behind a modal dialog, which a run does not close. The page shows no heading.',
  ],
  [
    'a heading in an inert part beside a dialog',
    '<main inert><h1>Welcome</h1></main><div role=dialog style="position:fixed;bottom:0">Cookies?</div>',
    WELCOME,
    'The heading "Welcome" is in a part of the page that is inert. A dialog is open. The page shows no heading.',
  ],
  [
    'a heading in an inert part',
    '<main inert><h1>Welcome</h1></main>',
    WELCOME,
    'The heading "Welcome" is in a part of the page that is inert. The page shows no heading.',
  ],
  [
    'a heading that is left out for assistive technology beside a dialog',
    '<main aria-hidden=true><h1>Welcome</h1></main><dialog open>Cookies?</dialog>',
    WELCOME,
    'The heading "Welcome" is in a part of the page with aria-hidden. A dialog is open. The page shows no heading.',
  ],
  [
    'a text behind a modal dialog',
    `<p>Welcome</p><dialog>Cookies?</dialog>${OPENING}`,
    { kind: 'text', text: 'Welcome' },
    'The text "Welcome" is behind a modal dialog, which a run does not close. The page shows no heading.',
  ],
  [
    'a heading under a banner',
    `<h1>Welcome</h1><div id=consent style="${OVER}">We use cookies</div>`,
    WELCOME,
    'An element covers the heading "Welcome": <div id="consent"> with the text "We use cookies". The page shows no heading.',
  ],
  [
    'a heading under a layer with a name that is no name',
    `<h1>Welcome</h1><p id='"> <b' style="${OVER}"></p>`,
    WELCOME,
    'An element covers the heading "Welcome": <p>. The page shows no heading.',
  ],
  [
    'a logo with an alternative text',
    '<h1><a href=/><img alt=Welcome width=80 height=20></a></h1>',
    WELCOME,
    'The heading "Welcome" is a picture with this alternative text. A run reads written text: expect another one. The page shows no heading.',
  ],
  [
    'a logo beside a part of the name',
    '<h1><svg aria-label=Acme width=80 height=20></svg> Docs</h1>',
    { kind: 'heading', text: 'Acme Docs', level: null },
    'The heading "Acme Docs" is a picture with this alternative text. A run reads written text: expect another one. Visible heading: "Docs".',
  ],
  [
    'a logo with a title',
    '<h1><svg width=80 height=20><title>Welcome</title></svg></h1>',
    WELCOME,
    'The heading "Welcome" is a picture with this alternative text. A run reads written text: expect another one. The page shows no heading.',
  ],
  [
    'a logo with a label',
    '<h1 aria-label=Welcome><svg width=80 height=20></svg></h1>',
    WELCOME,
    'The heading "Welcome" is a label that the page does not show. A run reads what is shown. The page shows no heading.',
  ],
  [
    'a text that only looks like a heading',
    '<div style="font-size:40px">Welcome</div><h1>Acme</h1>',
    WELCOME,
    'No visible heading "Welcome". The text is visible, but in no heading element. Visible heading: "Acme".',
  ],
  [
    'a heading in a frame',
    '<iframe srcdoc="<h1>Welcome</h1>" style="width:100%;height:600px"></iframe>',
    WELCOME,
    'No visible heading "Welcome". The page shows no heading outside of its frames.',
  ],
  [
    'a heading of no size',
    '<h1 style="font-size:0">Welcome</h1>',
    WELCOME,
    'The heading "Welcome" is in the page, but cannot be seen. Check its size, its colour and its place. The page shows no heading.',
  ],
  [
    'another title',
    '<title>Just a moment…</title>',
    { kind: 'title', text: 'Welcome' },
    'The title is "Just a moment…". The expected one is "Welcome".',
  ],
  [
    'no title',
    '<h1>Welcome</h1>',
    { kind: 'title', text: 'Welcome' },
    'The page has no title. The expected one is "Welcome".',
  ],
  [
    'an element with the name of a property',
    '<form name=title></form><img name=contentType><h1>Start</h1>',
    WELCOME,
    'No visible heading "Welcome". Visible heading: "Start".',
  ],
];

describe('sayMissing', () => {
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

  it.each(SENTENCES)('says what a page shows: %s', async (_what, html, wanted, sentences) => {
    await page.goto('about:blank');
    await page.setContent(html, { waitUntil: 'load' });
    const said = async () => {
      const found = (await frame.look(lookingFor(wanted)))?.value as Found;
      const seen = (await frame.look(explaining(wanted)))?.value as Seen;
      return sayMissing(wanted, found, seen, null);
    };
    await expect.poll(said).toBe(sentences);
  });

  it('leaves the page where the window was', async () => {
    await page.setContent(`<h1>First</h1><div style="height:9000px"></div><h1>Last</h1>`);
    await frame.look(explaining(WELCOME));
    expect(await page.evaluate('scrollY')).toBe(0);
  });

  it('says less of a page that does not answer', () => {
    expect(sayMissing(WELCOME, 'absent', null, null)).toBe('No visible heading "Welcome".');
  });
});
