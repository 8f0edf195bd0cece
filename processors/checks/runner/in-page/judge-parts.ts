// Runs: in the document that a run looks at, which gets the texts of these functions. They use globals, and each other.
import type {
  Canvas,
  PageDocument,
  PageElement,
  PageNode,
  PageRect,
  PageRoot,
  PageStyle,
  ScrollBy,
} from './dom.ts';
import type { Piece, Reading } from './read-document.ts';

/** Of read-document.ts: both run in one scope of the page. */
declare function ownOpacity(style: PageStyle): number;
declare const document: PageDocument;
declare const Document: { readonly prototype: PageDocument };
declare const innerWidth: number;
declare const innerHeight: number;
declare function getComputedStyle(element: PageElement, pseudo?: string): PageStyle;
declare function scrollBy(options: ScrollBy): void;
declare const OffscreenCanvas: new (width: number, height: number) => Canvas;

/** Lines of a text that are looked at. */
const LINES_MAX = 10;

/** `covered`: behind something else. `unseen`: in the document, but no person sees it. */
export type Found = 'shown' | 'covered' | 'unseen' | 'absent';

export interface Part {
  readonly piece: Piece;
  readonly from: number;
  readonly to: number;
}

/** Judges parts where they are and, unless all of them are shown, in the middle and near the top of the window. */
function judgeInView(reading: Reading, parts: readonly Part[]): readonly Found[] {
  const judge = () => parts.map((part) => judgePart(reading, part));
  let judged = judge();
  for (const height of [1 / 2, 1 / 5]) {
    const first = parts.find((_part, at) => judged[at] !== 'shown');
    if (first === undefined) break;
    bringIntoView(first, height);
    judged = judge();
  }
  return judged;
}

/** A part is shown if more than half of the points of its lines are. */
function judgePart(reading: Reading, part: Part): Found {
  const { text, box } = part.piece;
  if (box === null || text.slice(part.from, part.to).trim() === '') return 'shown';
  // Pages may show a text once it is in the window.
  if (reading.leastOpacity === 0 && opacityOf(box) < 0.1) return 'unseen';
  const points = rectsOf(part)
    .slice(0, LINES_MAX)
    .flatMap(({ left, top, width, height }) =>
      [1 / 6, 1 / 2, 5 / 6].map((at) => ({ x: left + at * width, y: top + height / 2, width, height })),
    );
  const found = points.map((point) => judgePoint(reading, box, point));
  if (found.filter((each) => each === 'shown').length * 2 > points.length) return 'shown';
  return found.includes('covered') ? 'covered' : 'unseen';
}

function rectsOf({ piece: { node, box }, from, to }: Part): PageRect[] {
  if (node === null || box === null) return [];
  if (node === box) return [box.getBoundingClientRect()];
  const range = document.createRange();
  range.setStart(node, Math.min(from, node.data.length));
  range.setEnd(node, Math.min(to, node.data.length));
  return [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Judges a point of a text, in the tree of the text and in those around it. */
function judgePoint(reading: Reading, box: PageElement, point: Point): Found {
  const under: PageElement[] = [];
  let target: PageElement | undefined = box;
  while (target !== undefined) {
    const root: PageRoot = target.getRootNode();
    const hits = root.elementsFromPoint(point.x, point.y);
    const at = hits.indexOf(target);
    if (at < 0) return 'unseen';
    const cover = hits.slice(0, at).find((hit) => covers(reading, hit, point));
    if (cover !== undefined) {
      reading.cover = cover;
      return 'covered';
    }
    under.push(...hits.slice(at));
    target = root.host;
  }
  return hasContrast(box, under) ? 'shown' : 'unseen';
}

/** True for an element whose background is at least half opaque, and for pictures. */
function covers({ passed }: Reading, element: PageElement, { width, height }: Point): boolean {
  const style = getComputedStyle(element);
  const opacity = opacityOf(element);
  if (opacity < 0.5 || style.mixBlendMode !== 'normal') return false;
  if (alphaOf(style.backgroundColor) * opacity >= 0.5) return true;
  // Decoration, such as falling snow, may be transparent where the text is.
  if (!passed.has(element) && (isPicture(element) || style.backgroundImage !== 'none')) return true;
  return ['::before', '::after'].some((pseudo) => {
    const own = getComputedStyle(element, pseudo);
    const isOver = own.content !== 'none' && /absolute|fixed/.test(own.position);
    const isLarge = Number.parseFloat(own.width) >= width && Number.parseFloat(own.height) >= height;
    return isOver && isLarge && alphaOf(own.backgroundColor) * Number(own.opacity) * opacity >= 0.5;
  });
}

function opacityOf(element: PageElement): number {
  let opacity = 1;
  for (let each: PageElement | null = element; each !== null; each = parentOf(each)) {
    opacity *= ownOpacity(getComputedStyle(each));
  }
  return opacity;
}

/** The element around an element as it is rendered; null for the outermost one. */
function parentOf(node: PageNode): PageElement | null {
  const parent = node.assignedSlot ?? node.parentNode;
  if (parent === null || parent.nodeType === 9) return null;
  return 'host' in parent && parent.host !== undefined ? parent.host : (parent as PageElement);
}

/**
 * False for a text that has no colour, or that of its background. On a background that is more than a colour, the text counts as
 * seen.
 */
function hasContrast(box: PageElement, under: readonly PageElement[]): boolean {
  const { webkitTextFillColor, webkitTextStrokeWidth, textShadow, colorScheme } = getComputedStyle(box);
  if (textShadow !== 'none' || webkitTextStrokeWidth !== '0px') return true;
  const styles = under.map((element) => getComputedStyle(element));
  const isUnknown = ({ backgroundClip, mixBlendMode, filter }: PageStyle) =>
    backgroundClip.includes('text') || mixBlendMode !== 'normal' || filter !== 'none';
  if (styles.some(isUnknown)) return true;
  const [red = 0, green = 0, blue = 0, alpha = 1] = rgba(webkitTextFillColor);
  if (alpha < 0.1) return false;
  const isLike = (color: string) => {
    const [otherRed = 0, otherGreen = 0, otherBlue = 0] = rgba(color);
    const differences = [red - otherRed, green - otherGreen, blue - otherBlue];
    return differences.every((difference) => Math.abs(difference) < 10);
  };
  for (const [at, { backgroundColor, backgroundImage }] of styles.entries()) {
    const element = under[at];
    if (backgroundImage !== 'none' || element === undefined || isPicture(element) || hasLayers(element))
      return true;
    if (alphaOf(backgroundColor) >= 0.5) return !isLike(backgroundColor);
  }
  const isLight = colorScheme === 'normal' && document.querySelector('meta[name=color-scheme]') === null;
  return !isLight || !isLike('rgb(255, 255, 255)');
}

/** True for an element with a background that a pseudo-element draws. */
function hasLayers(element: PageElement): boolean {
  return ['::before', '::after'].some((pseudo) => {
    const { content, backgroundColor, backgroundImage } = getComputedStyle(element, pseudo);
    return content !== 'none' && (backgroundImage !== 'none' || alphaOf(backgroundColor) > 0);
  });
}

function isPicture({ localName }: PageElement): boolean {
  return /^(img|video|canvas|iframe|embed|object|svg)$/.test(localName);
}

function alphaOf(color: string): number {
  return rgba(color)[3] ?? 1;
}

/** Red, green and blue of a color up to 255, and its alpha up to 1. */
function rgba(color: string): readonly number[] {
  const numbers = /^rgba?\(([^)]+)\)$/.exec(color)?.[1]?.split(',').map(Number);
  if (numbers !== undefined) return numbers;
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = Array.from(canvas.getImageData(0, 0, 1, 1).data);
  return [red, green, blue, alpha / 255];
}

/** Scrolls as a person can, until a part is at this height of the window. */
function bringIntoView(part: Part, height: number): void {
  const scrolls = (overflow: string) => /auto|scroll/.test(overflow);
  for (let each = part.piece.box; each !== null; each = parentOf(each)) {
    const { overflowX, overflowY } = getComputedStyle(each);
    if (each.localName === 'html' || !(scrolls(overflowX) || scrolls(overflowY))) continue;
    const { left, top } = wayTo(part, each.getBoundingClientRect(), height);
    each.scrollBy({
      left: scrolls(overflowX) ? left : 0,
      top: scrolls(overflowY) ? top : 0,
      behavior: 'instant',
    });
  }
  const root: PageElement = Reflect.get(Document.prototype, 'documentElement', document);
  const own = getComputedStyle(root);
  const { overflowX, overflowY } =
    own.overflowY === 'visible' && document.body !== null ? getComputedStyle(document.body) : own;
  const { left, top } = wayTo(part, { left: 0, top: 0, width: innerWidth, height: innerHeight }, height);
  const isFixed = (overflow: string) => /hidden|clip/.test(overflow);
  scrollBy({ left: isFixed(overflowX) ? 0 : left, top: isFixed(overflowY) ? 0 : top, behavior: 'instant' });
}

/** The way of a part to a height of a rectangle, and to the middle of its width if the part is beside it. */
function wayTo(
  part: Part,
  around: PageRect,
  height: number,
): { readonly left: number; readonly top: number } {
  const [rect] = rectsOf(part);
  if (rect === undefined) return { left: 0, top: 0 };
  const aside = rect.left + rect.width / 2 - around.left;
  return {
    left: aside >= 0 && aside <= around.width ? 0 : aside - around.width / 2,
    top: rect.top + rect.height / 2 - around.top - around.height * height,
  };
}

export const JUDGING = {
  bounds: { LINES_MAX },
  functions: [
    ...[judgeInView, judgePart, rectsOf, judgePoint, covers, opacityOf, parentOf, hasContrast, hasLayers],
    ...[isPicture, alphaOf, rgba, bringIntoView, wayTo],
  ],
};
