const ID_BYTES = 16;

/** Returns a random id: 32 hexadecimal digits. Unlike `crypto.randomUUID`, pages on plain HTTP have it. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
