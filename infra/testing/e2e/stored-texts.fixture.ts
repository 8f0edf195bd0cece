import { unpackArtifact } from '../../../schemas/imports/artifact.ts';

/** What a packed artifact begins with. */
const PACKED = 0x01;

/** A stored value as texts: of bytes each is one character, and what is packed in them is a text of its own. */
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
