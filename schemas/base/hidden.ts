/**
 * Characters without a shape: controls, formats (bidi, zero width, tags), and separators of lines and paragraphs. Joiners do not count
 * behind a letter of a script that needs them, Arabic to Mongolian, or behind a picture.
 */
export const HIDDEN =
  /(?<![\ufe0f\u0600-\u18aa\u2600-\u2bff\u{1f000}-\u{1faff}])[\u200c\u200d]|(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Separators of lines and paragraphs, and characters that change the direction of text, as a part of a class of characters. */
export const DIRECTIONS = '\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u206f';
