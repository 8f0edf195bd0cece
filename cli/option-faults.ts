// Checks of option values before any request. They load no schema library, because help needs them too.

const ID_CHARACTERS = '[a-z2-7]{24}';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/** Returns a check for ids with a prefix. */
export function idFault(prefix: string): (value: string) => string | null {
  const pattern = new RegExp(`^${prefix}_${ID_CHARACTERS}$`);
  return (value) => (pattern.test(value) ? null : `expected an id that begins with ${prefix}_`);
}

/** Checks the id of an import. */
export function importFault(value: string): string | null {
  return UUID.test(value) ? null : 'expected the id of an import, a lower-case UUID';
}

/** Checks a whole number from 1. */
export function numberFault(value: string): string | null {
  return /^[1-9][0-9]{0,8}$/.test(value) ? null : 'expected a whole number from 1';
}

/** Checks an idempotency key. */
export function keyFault(value: string): string | null {
  return PRINTABLE.test(value) ? null : 'expected 1 to 128 printable ASCII characters';
}

/** Checks a product to opt into. */
export function productFault(value: string): string | null {
  if (value === 'svcactivate' || value === 'svcimport') return null;
  return 'expected svcactivate or svcimport; svcfeedback and svccheck are always on';
}
