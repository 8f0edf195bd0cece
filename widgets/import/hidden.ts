/** Control characters, and those that are seen as nothing or turn the direction of the text around them. */
export const HIDDEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;
