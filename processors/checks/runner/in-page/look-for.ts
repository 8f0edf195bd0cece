// Runs: in the document that a run looks at, which gets the texts of these functions. They use globals, and each other.
import type { PageDocument, PageElement, PageSheet } from './dom.ts';
import { type Found, JUDGING, type Part } from './judge-parts.ts';
import { type Heading, type Piece, READING, type Reading } from './read-document.ts';

declare const document: PageDocument;
declare const Document: { readonly prototype: PageDocument };
declare const CSSStyleSheet: new () => PageSheet;
declare function readDocument(leastOpacity: number): Reading;
declare function plain(text: string): string;
declare function headingLevel(element: PageElement): number | null;
declare function judgeInView(reading: Reading, parts: readonly Part[]): readonly Found[];

/** The title, text or heading that a run looks for. */
export type Wanted =
  | { readonly kind: 'title' | 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string; readonly level: number | null };

/** Places of a text, or headings with it, that are looked at. */
const PLACES_MAX = 1_000;
/** Titles as long as this hold no text that a step may name. */
const TITLE_CHARACTERS_MAX = 4_096;

/** The expression that finds a text in a document, for an isolated world of it. */
export function lookingFor(wanted: Wanted): string {
  return `(() => { ${LOOKING} return lookFor(${JSON.stringify(wanted)}); })()`;
}

function lookFor(wanted: Wanted): Found {
  const text = plain(wanted.text);
  if (wanted.kind === 'title') {
    // An element of the document may have the name of a property of it.
    const title: string = Reflect.get(Document.prototype, 'title', document);
    return title.length < TITLE_CHARACTERS_MAX && plain(title) === text ? 'shown' : 'absent';
  }
  const opaque = readDocument(0.1);
  const found = findIn(opaque, wanted, text);
  if (found === 'shown' || !opaque.isPartial) return found;
  const transparent = findIn(readDocument(0), wanted, text);
  return found === 'absent' ? transparent : found;
}

function findIn(reading: Reading, wanted: Wanted, text: string): Found {
  return withHits(reading, () =>
    wanted.kind === 'heading' ? findHeading(reading, text, wanted.level) : findText(reading, text),
  );
}

/** Elements that a pointer passes through are hit like others meanwhile. The page sees nothing of it. */
function withHits<Result>(reading: Reading, judge: () => Result): Result {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { pointer-events: auto !important }');
  const roots = reading.passed.size === 0 ? [] : reading.roots;
  for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  try {
    return judge();
  } finally {
    for (const root of roots) {
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
    }
  }
}

function findHeading(reading: Reading, text: string, level: number | null): Found {
  let best: Found = 'absent';
  const isCandidate = (heading: Heading) =>
    (level === null || heading.level === level) && includes(textOf(heading.pieces), text);
  for (const { pieces } of reading.headings.filter(isCandidate).slice(0, PLACES_MAX)) {
    const found = judgeHeading(reading, pieces, text);
    if (found === 'shown') return found;
    if (found !== 'absent') best = found;
  }
  if (best !== 'absent') return best;
  const isHidden = (element: PageElement) =>
    (level === null || headingLevel(element) === level) && plain(element.textContent) === text;
  return headingElements(reading).some(isHidden) ? 'unseen' : 'absent';
}

/** Elements that are headings, whether a person sees them or not. */
function headingElements({ roots }: Reading): PageElement[] {
  const selectors = 'h1, h2, h3, h4, h5, h6, [role=heading]';
  return roots.flatMap((root) => [...root.querySelectorAll(selectors)]).slice(0, PLACES_MAX);
}

/** A heading shows a text if that is all that is to be seen of it. */
function judgeHeading(reading: Reading, pieces: readonly Piece[], text: string): Found {
  const parts = pieces.map((piece) => ({ piece, from: 0, to: piece.text.length }));
  const judged = judgeInView(reading, parts);
  const seen = pieces.filter((_piece, at) => judged[at] === 'shown');
  const shown = plain(seen.map(({ styled }) => styled).join(''));
  if (shown === text || textOf(seen) === text) return 'shown';
  if (textOf(pieces) !== text) return 'absent';
  return judged.includes('covered') ? 'covered' : 'unseen';
}

function findText(reading: Reading, text: string): Found {
  const { pieces } = reading;
  const all = pieces.map((piece) => piece.text).join('');
  const pattern = [...text]
    .map((letter) => (letter === ' ' ? '\\s+' : letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')))
    .join('');
  let best: Found = 'absent';
  let tries = 0;
  for (const { index, 0: match } of all.matchAll(new RegExp(pattern, 'giu'))) {
    tries += 1;
    if (tries > PLACES_MAX) break;
    const judged = judgeInView(reading, partsOf(pieces, index, index + match.length));
    if (judged.every((found) => found === 'shown')) return 'shown';
    best = judged.includes('covered') ? 'covered' : 'unseen';
  }
  return best;
}

/** The parts of pieces between two offsets of all their texts. */
function partsOf(pieces: readonly Piece[], from: number, to: number): Part[] {
  const parts: Part[] = [];
  let begin = 0;
  for (const piece of pieces) {
    const end = begin + piece.text.length;
    if (end > from && begin < to) {
      parts.push({ piece, from: Math.max(0, from - begin), to: Math.min(end, to) - begin });
    }
    begin = end;
  }
  return parts;
}

function textOf(pieces: readonly Piece[]): string {
  return plain(pieces.map(({ text }) => text).join(''));
}

function includes(all: string, text: string): boolean {
  return all.toLowerCase().includes(text.toLowerCase());
}

/** The functions that judge what a document shows, as the text of a script. */
export const LOOKING = [
  ...Object.entries({ ...READING.bounds, ...JUDGING.bounds, PLACES_MAX, TITLE_CHARACTERS_MAX }).map(
    ([name, value]) => `const ${name} = ${value};`,
  ),
  ...READING.functions.map(String),
  ...JUDGING.functions.map(String),
  ...[lookFor, findIn, withHits, findHeading, headingElements, judgeHeading].map(String),
  ...[findText, partsOf, textOf, includes].map(String),
].join('\n');
