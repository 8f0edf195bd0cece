import type { BrowserContextOptions } from 'playwright-core';

/** The name of a look, the context of its pages, and the attributes of their `html`. */
type WidgetLook = readonly [name: string, options: BrowserContextOptions, html: string];

const SMALL = { width: 320, height: 640 };

const ALONE: readonly WidgetLook[] = [
  ['dark', { colorScheme: 'dark' }, ''],
  ['right to left', {}, 'dir="rtl"'],
  ['forced colours', { forcedColors: 'active' }, ''],
  ['a small screen', { viewport: SMALL }, ''],
];

/**
 * The looks in which axe examines a widget. `npm test` has two, the second with everything that differs; `npm run test:all` has each
 * difference alone.
 */
export const WIDGET_LOOKS: readonly WidgetLook[] = [
  ['light', {}, ''],
  ['dark, right to left, on a small screen', { colorScheme: 'dark', viewport: SMALL }, 'dir="rtl"'],
  ...(process.env['SVC_TEST_ALL'] === 'on' ? ALONE : []),
];
