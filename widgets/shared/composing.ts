/** The code of a key that an input method takes. Safari sends the key that ends a composition behind the end, with this code alone. */
const TAKEN = 229;

/** True for a key that an input method takes, such as the Enter that accepts a word in Japanese. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === TAKEN;
}
