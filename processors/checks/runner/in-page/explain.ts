// Runs: in the document that a run looks at, which gets the texts of these functions. They use globals, and each other.
import type { PageDocument, PageElement, PageNode, ScrollBy } from './dom.ts';
import type { Found, Part } from './judge-parts.ts';
import { LOOKING, type Wanted } from './look-for.ts';
import type { Heading, Piece, Reading } from './read-document.ts';

declare const Document: { readonly prototype: PageDocument };
declare const document: PageDocument;
declare const innerWidth: number;
declare const innerHeight: number;
declare const scrollX: number;
declare const scrollY: number;
declare function scrollTo(options: ScrollBy): void;
declare function readDocument(leastOpacity: number): Reading;
declare function plain(text: string): string;
declare function judgeInView(reading: Reading, parts: readonly Part[]): readonly Found[];
declare function parentOf(node: PageNode): PageElement | null;
declare function findIn(reading: Reading, wanted: Wanted, text: string): Found;
declare function withHits<Result>(reading: Reading, judge: () => Result): Result;
declare function headingElements(reading: Reading): PageElement[];
declare function textOf(pieces: readonly Piece[]): string;

/** Headings that are judged for an explanation. */
const HEADINGS_JUDGED_MAX = 30;
/** Headings of an explanation. */
const HEADINGS_SEEN_MAX = 4;
/** Characters of each text of an explanation. */
const SEEN_CHARACTERS_MAX = 300;
/** A frame of this part of the window holds what a person sees of the page. */
const FRAME_PART = 0.25;

/**
 * The reason for which a text that is in the document does not count: behind a modal dialog; in an inert part; left out by
 * `aria-hidden`; the alternative text of a picture; a label; a visible text that is in no heading.
 */
export type Barrier = 'modal' | 'inert' | 'aria-hidden' | 'picture' | 'label' | 'no-heading';

/** A document that does not show what a step expects. Its texts are those of the page. */
export interface Seen {
  readonly contentType: string;
  readonly title: string;
  /** Visible headings: those that are most like the expected one, then in the order of the page. */
  readonly headings: readonly { readonly level: number; readonly text: string }[];
  readonly barrier: Barrier | null;
  /** The element that covers the text; null if none does. */
  readonly cover: { readonly name: string; readonly id: string; readonly text: string } | null;
  readonly isDialogOpen: boolean;
  /** True if frames take a large part of the window. */
  readonly isFramed: boolean;
}

/** The expression that says what a document shows in place of a text, for an isolated world of it. */
export function explaining(wanted: Wanted): string {
  return `(() => { ${SCRIPT} return explain(${JSON.stringify(wanted)}); })()`;
}

function explain(wanted: Wanted): Seen {
  const text = plain(wanted.text);
  const reading = readDocument(0.1);
  const [left, top] = [scrollX, scrollY];
  const isTitle = wanted.kind === 'title';
  const found = isTitle ? 'absent' : findIn(reading, wanted, text);
  const seen = {
    contentType: cutTo(Reflect.get(Document.prototype, 'contentType', document)),
    title: cutTo(plain(Reflect.get(Document.prototype, 'title', document))),
    cover: found === 'covered' ? nameCover(reading) : null,
    barrier:
      isTitle || found === 'covered' ? null : withHits(reading, () => findBarrier(reading, wanted, text)),
    headings: withHits(reading, () => visibleHeadings(reading, text)),
    isDialogOpen: reading.roots.some((root) =>
      [...root.querySelectorAll('dialog[open], [role=dialog], [role=alertdialog]')].some(hasArea),
    ),
    isFramed: [...document.querySelectorAll('iframe, frame, embed, object')].some(isLarge),
  };
  // The picture of the run is of the place at which the page was judged.
  scrollTo({ left, top, behavior: 'instant' });
  return seen;
}

function visibleHeadings(reading: Reading, text: string): Seen['headings'] {
  const headings: Seen['headings'][number][] = [];
  const rank = ({ pieces }: Heading) => (isLike(textOf(pieces), text) ? 0 : 1);
  const ordered = reading.headings.toSorted((one, other) => rank(one) - rank(other));
  for (const { level, pieces } of ordered.slice(0, HEADINGS_JUDGED_MAX)) {
    const judged = judgeInView(
      reading,
      pieces.map((piece) => ({ piece, from: 0, to: piece.text.length })),
    );
    const seen = pieces.filter((_piece, at) => judged[at] === 'shown');
    const shown = plain(seen.map(({ styled }) => styled).join(''));
    if (shown !== '') headings.push({ level, text: cutTo(shown) });
    if (headings.length === HEADINGS_SEEN_MAX) break;
  }
  return headings;
}

function findBarrier(reading: Reading, { kind }: Wanted, text: string): Barrier | null {
  const isHeading = kind === 'heading';
  const holders = isHeading
    ? headingElements(reading).filter((element) => plain(element.textContent) === text)
    : reading.pieces.flatMap(({ text: own, box }) => (box !== null && isLike(own, text) ? [box] : []));
  const modals = reading.roots.flatMap((root) => [...root.querySelectorAll(':modal')]);
  for (const holder of holders) {
    const around: PageElement[] = [];
    for (let each: PageElement | null = holder; each !== null; each = parentOf(each)) around.push(each);
    if (modals.length > 0 && !modals.some((modal) => around.includes(modal))) return 'modal';
    if (around.some((each) => each.getAttribute('inert') !== null)) return 'inert';
    const isLeftOut = around.some((each) => each.getAttribute('aria-hidden') === 'true');
    if (isHeading && isLeftOut) return 'aria-hidden';
  }
  return isHeading ? findUnread(reading, text) : null;
}

/** The reason for which a text that a person may take for a heading is not read as one. */
function findUnread(reading: Reading, text: string): Barrier | null {
  for (const element of headingElements(reading).filter(hasArea)) {
    const pictures = [...element.querySelectorAll('img, svg')];
    const hasName = pictures.some((picture) => nameOf(picture, false) !== '');
    if (hasName && nameOf(element, false) === text) return 'picture';
    if (plain(element.textContent) !== text && nameOf(element, true) === text) return 'label';
  }
  const ofHeadings = new Set(reading.headings.flatMap(({ pieces }) => pieces));
  const others = reading.pieces.filter((piece) => !ofHeadings.has(piece) && plain(piece.text) === text);
  const isShown = (piece: Piece) =>
    judgeInView(reading, [{ piece, from: 0, to: piece.text.length }])[0] === 'shown';
  return others.slice(0, HEADINGS_JUDGED_MAX).some(isShown) ? 'no-heading' : null;
}

/** The text of an element with the alternative texts of its pictures, and with or without labels. */
function nameOf(element: PageElement, hasLabels: boolean): string {
  const label = element.getAttribute('aria-label') ?? '';
  const isPicture = /^(img|svg)$/.test(element.localName);
  if (label !== '' && (hasLabels || isPicture)) return plain(label);
  if (element.localName === 'img') return plain(element.getAttribute('alt') ?? '');
  const parts = [...element.childNodes].map((node) =>
    node.nodeType === 1 ? nameOf(node as PageElement, hasLabels) : node.nodeType === 3 ? node.data : '',
  );
  return plain(parts.join(' '));
}

function nameCover({ cover, pieces }: Reading): Seen['cover'] {
  if (cover === null) return null;
  const id = cutTo(cover.getAttribute('id') ?? '');
  const inside = pieces.filter(({ box }) => box !== null && cover.contains(box));
  return { name: cover.localName, id, text: cutTo(textOf(inside)) };
}

function hasArea(element: PageElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0;
}

function isLarge(element: PageElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width * height >= FRAME_PART * innerWidth * innerHeight;
}

function isLike(one: string, other: string): boolean {
  const [first, second] = [letters(one), letters(other)];
  return first !== '' && second !== '' && (first.includes(second) || second.includes(first));
}

/** The letters and digits of a text, in lower case. */
export function letters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function cutTo(text: string): string {
  return text.slice(0, SEEN_CHARACTERS_MAX);
}

const BOUNDS = { HEADINGS_JUDGED_MAX, HEADINGS_SEEN_MAX, SEEN_CHARACTERS_MAX, FRAME_PART };

const SCRIPT = [
  LOOKING,
  ...Object.entries(BOUNDS).map(([name, value]) => `const ${name} = ${value};`),
  ...[explain, visibleHeadings, findBarrier, findUnread, nameOf, nameCover].map(String),
  ...[hasArea, isLarge, isLike, letters, cutTo].map(String),
].join('\n');
