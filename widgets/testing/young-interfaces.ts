/** Interfaces that the oldest supported browsers lack: the object and its member. */
export const YOUNG_INTERFACES: readonly (readonly [owner: string, member: string])[] = [
  ['AbortSignal', 'any'],
  ['Array', 'fromAsync'],
  ['Array.prototype', 'toReversed'],
  ['Array.prototype', 'toSorted'],
  ['Array.prototype', 'toSpliced'],
  ['Array.prototype', 'with'],
  ['ArrayBuffer.prototype', 'transfer'],
  ['Document', 'parseHTMLUnsafe'],
  ['Document.prototype', 'startViewTransition'],
  ['Element.prototype', 'checkVisibility'],
  ['Element.prototype', 'getHTML'],
  ['Element.prototype', 'moveBefore'],
  ['Element.prototype', 'setHTMLUnsafe'],
  ['Error', 'isError'],
  ['HTMLElement.prototype', 'hidePopover'],
  ['HTMLElement.prototype', 'showPopover'],
  ['HTMLElement.prototype', 'togglePopover'],
  ['Intl', 'DurationFormat'],
  ['Iterator', 'from'],
  ['Iterator.prototype', 'drop'],
  ['Iterator.prototype', 'every'],
  ['Iterator.prototype', 'filter'],
  ['Iterator.prototype', 'find'],
  ['Iterator.prototype', 'flatMap'],
  ['Iterator.prototype', 'forEach'],
  ['Iterator.prototype', 'map'],
  ['Iterator.prototype', 'reduce'],
  ['Iterator.prototype', 'some'],
  ['Iterator.prototype', 'take'],
  ['Iterator.prototype', 'toArray'],
  ['Map', 'groupBy'],
  ['Map.prototype', 'getOrInsert'],
  ['Math', 'sumPrecise'],
  ['Object', 'groupBy'],
  ['Promise', 'try'],
  ['Promise', 'withResolvers'],
  ['RegExp', 'escape'],
  ['Response.prototype', 'bytes'],
  ['Set.prototype', 'difference'],
  ['Set.prototype', 'intersection'],
  ['Set.prototype', 'isDisjointFrom'],
  ['Set.prototype', 'isSubsetOf'],
  ['Set.prototype', 'isSupersetOf'],
  ['Set.prototype', 'symmetricDifference'],
  ['Set.prototype', 'union'],
  ['String.prototype', 'isWellFormed'],
  ['String.prototype', 'toWellFormed'],
  ['URL', 'canParse'],
  ['URL', 'parse'],
  ['Uint8Array', 'fromBase64'],
  ['Uint8Array.prototype', 'toHex'],
  ['globalThis', 'CloseWatcher'],
  ['globalThis', 'URLPattern'],
  ['globalThis', 'navigation'],
  ['globalThis', 'requestIdleCallback'],
  ['globalThis', 'scheduler'],
];

/** Members that other objects have under the same name, so that a text of a script does not tell whose they are. */
const COMMON = new Set(
  'any bytes difference drop escape every filter find flatMap forEach from intersection map navigation reduce scheduler some take toArray transfer try union with'.split(
    ' ',
  ),
);

/** Returns which of the interfaces the text of a script calls. */
export function youngInterfacesIn(script: string): string[] {
  return YOUNG_INTERFACES.filter(([owner, member]) => {
    const isStatic = !owner.endsWith('prototype') && owner !== 'globalThis';
    if (isStatic) return new RegExp(`\\b${owner}\\.${member}\\b`).test(script);
    // A script that asks first whether it is there works without it.
    return !COMMON.has(member) && new RegExp(`[.\\s]${member}\\(`).test(script);
  }).map(([owner, member]) => `${owner}.${member}`);
}

/** Playwright finds no element without it. */
const OF_THE_TEST = 'checkVisibility';

/** A script that takes the interfaces away from a page, as a browser that has never had them. */
export const WITHOUT_YOUNG_INTERFACES = YOUNG_INTERFACES.filter(([, member]) => member !== OF_THE_TEST)
  .map(([owner, member]) => `try { delete ${owner}.${member} } catch {}`)
  .join('\n');
