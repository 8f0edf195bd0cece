import { unpackArtifact } from '../../../schemas/imports/artifact.ts';

/** The first byte of a packed artifact. */
const PACKED = 0x01;

/** Returns a stored value as texts. Each byte is one character. Packed bytes add their unpacked text. */
export function textsOf(value: unknown): string[] {
  if (!(value instanceof Uint8Array)) return [String(value)];
  const raw = Buffer.from(value).toString('latin1');
  return value[0] === PACKED ? [raw, ...unpacked(value)] : [raw];
}

function unpacked(bytes: Uint8Array): string[] {
  try {
    return [unpackArtifact(bytes).toString('latin1')];
  } catch {
    // Other bytes may begin like an artifact.
    return [];
  }
}
