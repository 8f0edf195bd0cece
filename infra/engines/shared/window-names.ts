import { hash } from 'node:crypto';
import type { WindowName } from '../../../topics/ports/limiter.ts';

/** Bytes of namespace and identifier together that a window is stored under. Longer ones are stored as a digest of as many. */
const NAMES_BYTES_MAX = 43;

/**
 * The names that a window is stored under: its own if they are short, else an empty namespace, which no caller can send, and the
 * SHA-256 of both. So the memory of a window does not depend on what its callers write.
 */
export function storedNames<Name extends WindowName>(window: Name): Name {
  const { namespace, identifier } = window;
  // A character has one byte at least, and three at most.
  const characters = namespace.length + identifier.length;
  if (3 * characters <= NAMES_BYTES_MAX) return window;
  if (characters <= NAMES_BYTES_MAX) {
    if (Buffer.byteLength(namespace) + Buffer.byteLength(identifier) <= NAMES_BYTES_MAX) return window;
  }
  const digest = hash('sha256', JSON.stringify([namespace, identifier]), 'base64url');
  return { ...window, namespace: '', identifier: digest };
}
