import type { ParseArgsConfig, parseArgs } from 'node:util';

const WIDTHS = [320, 768, 1_280, 1_920];
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 900;
/** The width of the pictures that are taken right to left, in forced colours, or zoomed, where no width is named. */
const COMMON_WIDTH = 1_280;
const ZOOM_PERCENT = 400;

type Scheme = (typeof SCHEMES)[number];

/** One way in which every scene is looked at. */
export interface Look {
  /** The end of the picture's name: `1280-light-rtl`. */
  readonly name: string;
  readonly scheme: Scheme;
  /** The window in CSS pixels. */
  readonly viewport: { readonly width: number; readonly height: number };
  readonly isForced: boolean;
  readonly isRightToLeft: boolean;
}

/** The command line of `npm run shots`. */
export const PICTURE_OPTIONS = {
  allowPositionals: true,
  options: {
    width: { type: 'string', multiple: true },
    light: { type: 'boolean', default: false },
    dark: { type: 'boolean', default: false },
    'forced-colors': { type: 'boolean', default: false },
    rtl: { type: 'boolean', default: false },
    zoom: { type: 'string' },
  },
} as const satisfies ParseArgsConfig;

/** The scenes that the command line names by the beginnings of their names, and the looks. */
export interface Wanted {
  /** Empty for every scene. */
  readonly prefixes: readonly string[];
  readonly looks: readonly Look[];
  /** True if no scene and no look was chosen. */
  readonly isEverything: boolean;
}

/** Chooses the pictures. Widths and schemes combine, and every picture has all the special looks that are named. */
export function wantedPictures({
  values,
  positionals,
}: ReturnType<typeof parseArgs<typeof PICTURE_OPTIONS>>): Wanted {
  const schemes = SCHEMES.filter((scheme) => values[scheme] || !(values.light || values.dark));
  const widths = values.width?.map(Number);
  const special = {
    isForced: values['forced-colors'],
    isRightToLeft: values.rtl,
    zoom: Number(values.zoom ?? 100),
  };
  const isSpecial = special.isForced || special.isRightToLeft || special.zoom !== 100;
  const plain = (widths ?? (isSpecial ? [COMMON_WIDTH] : WIDTHS)).flatMap((width) =>
    schemes.map((scheme) => look({ width, scheme, ...special })),
  );
  const isChosen = isSpecial || widths !== undefined || values.light || values.dark;
  return {
    prefixes: positionals,
    looks: isChosen ? plain : [...plain, ...specialLooks()],
    isEverything: !isChosen && positionals.length === 0,
  };
}

function specialLooks(): Look[] {
  const common = { width: COMMON_WIDTH, scheme: 'light' } as const;
  return [
    look({ ...common, isForced: true }),
    look({ ...common, isRightToLeft: true }),
    look({ ...common, zoom: ZOOM_PERCENT }),
  ];
}

interface Wish {
  readonly width: number;
  readonly scheme: Scheme;
  readonly isForced?: boolean;
  readonly isRightToLeft?: boolean;
  /** Per cent. A zoomed page is laid out in as many times fewer CSS pixels. */
  readonly zoom?: number;
}

function look({ width, scheme, isForced = false, isRightToLeft = false, zoom = 100 }: Wish): Look {
  const marks = [isForced ? 'forced' : '', isRightToLeft ? 'rtl' : '', zoom === 100 ? '' : `zoom${zoom}`];
  return {
    name: [width, scheme, ...marks.filter((mark) => mark !== '')].join('-'),
    scheme,
    viewport: { width: Math.round((width * 100) / zoom), height: Math.round((HEIGHT * 100) / zoom) },
    isForced,
    isRightToLeft,
  };
}
