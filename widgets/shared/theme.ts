/** The relative luminance (WCAG 2) of a ground on which black and white text have the same contrast. */
const MIDDLE = 0.179;

/**
 * Gives a widget the theme of the page behind it: that of the nearest `data-svc-theme`, else of the nearest ground. The colour of
 * the text, which the host inherits, decides on a page without such a ground, or with a picture.
 */
export function takeTheme({ host, firstElementChild }: ShadowRoot): void {
  const probe = firstElementChild as HTMLElement;
  /** True for a dark colour, undefined for one through which others are seen. The browser converts each to "color(srgb 0.1 0.2 0.3 / 0.5)". */
  const isDark = (colour: string): boolean | undefined => {
    // No element shows this colour.
    probe.style.columnRuleColor = `color-mix(in srgb,${colour},${colour})`;
    const parts = getComputedStyle(probe).columnRuleColor.split(' ').map(parseFloat);
    const [, r = 0, g = 0, b = 0, , opacity = 1] = parts;
    return opacity > 0.5 ? 0.2126 * r ** 2.2 + 0.7152 * g ** 2.2 + 0.0722 * b ** 2.2 < MIDDLE : undefined;
  };
  let forced: string | undefined;
  let ground: boolean | undefined;
  let at: Element | undefined = host;
  while (at) {
    forced ??= (at as HTMLElement).dataset['svcTheme'];
    ground ??= isDark(getComputedStyle(at).backgroundColor);
    at = at.parentElement ?? (at.getRootNode() as Partial<ShadowRoot>).host;
  }
  ground ??= !isDark(getComputedStyle(host).color);
  host.toggleAttribute('data-dark', forced ? forced === 'dark' : ground);
}
