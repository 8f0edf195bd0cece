// The parts of the DOM that functions in a page use. Node has no types of it.

export interface PageRect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Boxed {
  getBoundingClientRect(): PageRect;
  getClientRects(): Iterable<PageRect>;
}

/** A text node, or an element. */
export interface PageNode {
  readonly nodeType: number;
  readonly data: string;
  readonly textContent: string;
  readonly parentNode: PageElement | PageRoot | null;
  readonly assignedSlot: PageElement | null;
  getRootNode(): PageRoot;
}

export interface PageElement extends PageNode, Boxed {
  readonly localName: string;
  readonly childNodes: Iterable<PageNode>;
  readonly shadowRoot: PageRoot | null;
  /** Of fields. */
  readonly type: string;
  readonly value: string;
  readonly placeholder: string;
  readonly selectedOptions: ArrayLike<{ readonly text: string }>;
  /** Of a slot. */
  assignedNodes(options: { readonly flatten: boolean }): readonly PageNode[];
  contains(other: PageElement): boolean;
  getAttribute(name: string): string | null;
  querySelectorAll(selectors: string): Iterable<PageElement>;
  scrollBy(options: ScrollBy): void;
}

export interface ScrollBy {
  readonly left: number;
  readonly top: number;
  readonly behavior: 'instant';
}

/** The document, or an open shadow root, which has a host. */
export interface PageRoot {
  readonly nodeType: number;
  readonly host?: PageElement;
  readonly childNodes: Iterable<PageNode>;
  adoptedStyleSheets: readonly PageSheet[];
  elementsFromPoint(x: number, y: number): readonly PageElement[];
  querySelectorAll(selectors: string): Iterable<PageElement>;
}

export interface PageSheet {
  replaceSync(text: string): void;
}

export interface PageDocument extends PageRoot {
  readonly body: PageElement | null;
  querySelector(selectors: string): PageElement | null;
  createRange(): Boxed & {
    setStart(node: PageNode, offset: number): void;
    setEnd(node: PageNode, offset: number): void;
  };
}

/** A style as the browser has computed it. */
export type PageStyle = Readonly<
  Record<
    | 'backgroundClip'
    | 'backgroundColor'
    | 'backgroundImage'
    | 'colorScheme'
    | 'content'
    | 'contentVisibility'
    | 'display'
    | 'filter'
    | 'fontFamily'
    | 'height'
    | 'mixBlendMode'
    | 'opacity'
    | 'overflowX'
    | 'overflowY'
    | 'pointerEvents'
    | 'position'
    | 'textShadow'
    | 'textTransform'
    | 'visibility'
    | 'webkitTextFillColor'
    | 'webkitTextStrokeWidth'
    | 'width',
    string
  >
>;

export interface Canvas {
  getContext(
    kind: '2d',
    options: { readonly willReadFrequently: true },
  ): {
    fillStyle: string;
    fillRect(x: number, y: number, width: number, height: number): void;
    getImageData(x: number, y: number, width: number, height: number): { readonly data: ArrayLike<number> };
  };
}
