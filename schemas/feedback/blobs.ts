import { HOUR_MS } from '../base/time.ts';

/** Blobs that go away together, and one of them (`topics/ports/blobs.ts` says what they promise). */
interface Group {
  readonly owner: string;
  readonly group: string;
}

/**
 * The time for which a blob outlives its submission: the gateway writes it before the fold decides when retention begins.
 * Readers ask the submission first.
 */
const EXPIRY_GRACE_MS = HOUR_MS;

/** When the content of a submission goes, whatever happens to it. Times are Unix milliseconds. */
export function contentExpiry(now: number, retentionMs: number): number {
  return now + retentionMs + EXPIRY_GRACE_MS;
}

/** The contents of all submissions of a widget. */
export function widgetGroup(installationId: string, widgetId: string): Group {
  return { owner: installationId, group: widgetId };
}

/**
 * The content of one submission. Every request writes it under a new random name, so that the removal of a repeat never
 * removes what was accepted.
 */
export function contentBlob(installationId: string, widgetId: string, name: string) {
  return { ...widgetGroup(installationId, widgetId), name };
}
