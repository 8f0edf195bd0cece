import { HOUR_MS } from '../base/time.ts';

/** Blobs that go away together, and one of them (`topics/ports/blobs.ts` says what they promise). */
interface Group {
  readonly owner: string;
  readonly group: string;
}

interface Address extends Group {
  readonly name: string;
}

/**
 * The time for which bytes outlive their import: an upload announces the end of its blob before it knows the end of the
 * import. They are unreadable in between, because every reader asks the import first.
 */
const EXPIRY_GRACE_MS = HOUR_MS;

/** When the private bytes of an import go, whatever happens to it. */
export function blobExpiry(retainedUntil: number): number {
  return retainedUntil + EXPIRY_GRACE_MS;
}

/** The source and the mappings of an import. */
export function importGroup(installationId: string, importId: string): Group {
  return { owner: installationId, group: importId };
}

/** The artifacts and row errors of one validation. */
export function attemptGroup(installationId: string, importId: string, attempt: number): Group {
  return { owner: installationId, group: `${importId}/${attempt}` };
}

/**
 * The name of the file as its sender gave it. It has a separate group: a file that failed as a whole is removed, and a person
 * still has to know which one it was.
 */
export function fileNameBlob(installationId: string, importId: string): Address {
  return { owner: installationId, group: `${importId}/name`, name: 'name' };
}

/** An uploaded file; every upload has a random name (infra/docs/decisions/0008-blobs-outside-topics.md). */
export function sourceBlob(installationId: string, importId: string, name: string): Address {
  return { ...importGroup(installationId, importId), name };
}

/** The name of an upload's blob from random hexadecimal digits. */
export function sourceName(random: string): string {
  return `source/${random}`;
}

/**
 * A mapping as it was sent, header names included. Every request writes it under a new random name. So removing a
 * refused mapping never removes an accepted one, even with the same content.
 */
export function mappingBlob(
  installationId: string,
  importId: string,
  mapping: { readonly revision: number; readonly digest: string; readonly blob?: string | undefined },
): Address {
  const { revision, digest, blob } = mapping;
  // Without a name it is from before names were random.
  return { ...importGroup(installationId, importId), name: blob ?? `mapping/${revision}/${digest}` };
}

/** The name of a mapping's blob from random hexadecimal digits. */
export function mappingName(random: string): string {
  return `mapping/${random}`;
}

/** The canonical values of one partition, packed: a JSON array with one entry a row, null for an invalid one. */
export function artifactBlob(
  installationId: string,
  importId: string,
  attempt: number,
  index: number,
): Address {
  return { ...attemptGroup(installationId, importId, attempt), name: `artifact/${index}` };
}

/** The row errors of one partition that are kept (`schemas/imports/row-errors.ts`). */
export function errorsBlob(
  installationId: string,
  importId: string,
  attempt: number,
  index: number,
): Address {
  return { ...attemptGroup(installationId, importId, attempt), name: `errors/${index}` };
}
