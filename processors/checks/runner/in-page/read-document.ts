// Runs: in the document that a run looks at, which gets the texts of these functions. They use globals, and each other.
import type { PageDocument, PageElement, PageNode, PageRoot, PageStyle } from './dom.ts';

declare const document: PageDocument;
declare const Node: { readonly prototype: PageNode };
declare const Document: { readonly prototype: PageDocument };
declare function getComputedStyle(element: PageElement): PageStyle;

/** Elements inside each other that are read. */
const DEPTH_MAX = 1_000;

/** A text node or a field, in the order in which a person reads. Without a node: white space between two of them. */
export interface Piece {
  readonly text: string;
  readonly node: PageNode | null;
  /** The nearest element around it that has a box. */
  readonly box: PageElement | null;
  /** The text as its style shows it. */
  readonly styled: string;
}

export interface Heading {
  readonly level: number;
  readonly pieces: Piece[];
}

/** The texts of a document. */
export interface Reading {
  readonly pieces: Piece[];
  readonly headings: Heading[];
  /** Elements that a pointer passes through. */
  readonly passed: Set<PageElement>;
  readonly roots: PageRoot[];
  readonly leastOpacity: number;
  /** True if something less opaque was left out. */
  isPartial: boolean;
  /** The latest element that was found to cover a text. */
  cover: PageElement | null;
}

interface Around {
  readonly opacity: number;
  readonly isHidden: boolean;
  readonly box: PageElement | null;
  readonly depth: number;
}

/** Reads the texts of a document that are at least so opaque. */
function readDocument(leastOpacity: number): Reading {
  const all = { pieces: [], headings: [], passed: new Set<PageElement>(), roots: [document] };
  const reading: Reading = { ...all, leastOpacity, isPartial: false, cover: null };
  const element: PageElement = Reflect.get(Document.prototype, 'documentElement', document);
  readElement(reading, element, { opacity: 1, isHidden: false, box: null, depth: 0 });
  return reading;
}

/** Reads an element unless no person sees it, whatever is around it. */
function readElement(reading: Reading, element: PageElement, around: Around): void {
  const style = getComputedStyle(element);
  const opacity = around.opacity * ownOpacity(style);
  if (style.display === 'none' || around.depth > DEPTH_MAX) return;
  if (opacity < reading.leastOpacity) {
    reading.isPartial = true;
    return;
  }
  if (style.pointerEvents === 'none') reading.passed.add(element);
  const isHidden = around.isHidden || element.getAttribute('aria-hidden') === 'true';
  // The name of an icon is drawn as a picture.
  if (isHidden && /^[^,]*(icon|symbol)/i.test(style.fontFamily)) return;
  const { pieces, headings } = reading;
  const gap = { text: ' ', styled: ' ', node: null, box: null };
  const isBlock = element.localName === 'br' || !/^(inline|contents|ruby)/.test(style.display);
  if (isBlock) pieces.push(gap);
  const from = pieces.length;
  const box = style.display === 'contents' ? around.box : element;
  readContent(reading, element, style, { opacity, isHidden, box, depth: around.depth + 1 });
  const level = isHidden ? null : headingLevel(element);
  if (level !== null) headings.push({ level, pieces: pieces.slice(from) });
  if (isBlock) pieces.push(gap);
}

function readContent(reading: Reading, element: PageElement, style: PageStyle, inside: Around): void {
  const add = (text: string, node: PageNode) => {
    const piece = { text, styled: styled(text, style), node, box: inside.box };
    if (style.visibility === 'visible') reading.pieces.push(piece);
  };
  const field = fieldText(element);
  if (field !== null) add(field, element);
  if (field !== null || style.contentVisibility === 'hidden') return;
  for (const child of childrenOf(reading, element)) {
    if (child.nodeType === 1) readElement(reading, child as PageElement, inside);
    else if (child.nodeType === 3) add(joined(child.data), child);
  }
}

/** The nodes that are rendered inside an element. */
function childrenOf(reading: Reading, element: PageElement): Iterable<PageNode> {
  const root = element.shadowRoot;
  if (root !== null) {
    reading.roots.push(root);
    return root.childNodes;
  }
  const assigned = element.localName === 'slot' ? element.assignedNodes({ flatten: true }) : [];
  // A field of a form may have the name of a property of the form.
  const isForm = element.localName === 'form';
  if (assigned.length > 0) return assigned;
  return isForm ? Reflect.get(Node.prototype, 'childNodes', element) : element.childNodes;
}

/** The text that a field shows; null for an element that is no field. */
function fieldText(element: PageElement): string | null {
  switch (element.localName) {
    case 'input': {
      const shows = /^(text|search|tel|url|email|number|button|submit|reset)$/.test(element.type);
      const value = shows ? element.value : '';
      return joined(value === '' ? element.placeholder : value);
    }
    case 'textarea':
      return joined(element.value === '' ? element.placeholder : element.value);
    case 'select':
      return joined(element.selectedOptions[0]?.text ?? '');
    default:
      return null;
  }
}

function headingLevel(element: PageElement): number | null {
  const role = element.getAttribute('role') ?? '';
  const [, native] = /^h([1-6])$/.exec(element.localName) ?? [];
  if (native !== undefined && (role === '' || role === 'heading')) return Number(native);
  if (role !== 'heading') return null;
  const level = Number(element.getAttribute('aria-level'));
  return Number.isInteger(level) && level > 0 ? level : 2;
}

function styled(text: string, { textTransform }: PageStyle): string {
  switch (textTransform) {
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'capitalize':
      return text.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase());
    default:
      return text;
  }
}

/** The opacity that an element adds to what is around it. */
function ownOpacity({ opacity, filter }: PageStyle): number {
  const filtered = [...filter.matchAll(/opacity\(([\d.e-]+)\)/g)].map(([, factor]) => Number(factor));
  return filtered.reduce((product, factor) => product * factor, Number(opacity));
}

/** A text as it is compared: white space is one space, and marks without width are left out. */
function plain(text: string): string {
  return joined(text).replace(/\s+/g, ' ').trim();
}

/** A text without icons and marks that have no width, and with the letters of a ligature. */
function joined(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uE000-\uF8FF]|\uFE0E|\uFE0F/g, '')
    .replace(/[\uFB00-\uFB06]/g, (ligature) => ligature.normalize('NFKC'));
}

export const READING = {
  bounds: { DEPTH_MAX },
  functions: [
    readDocument,
    readElement,
    readContent,
    childrenOf,
    fieldText,
    headingLevel,
    ownOpacity,
    styled,
    plain,
    joined,
  ],
};
