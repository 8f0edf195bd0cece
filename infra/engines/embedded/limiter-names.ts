import { z } from 'zod';
import { keyModeSchema } from '../../../schemas/limiter/keys.ts';
import type { AccountWindow, LimiterKey } from '../../../topics/ports/limiter.ts';
import { storedNames } from '../shared/window-names.ts';

/** The name of a key's state. */
export function stateName({ account, keyId }: LimiterKey): string {
  return JSON.stringify([account, keyId]);
}

/** The name of a window in memory and on the disk, by its {@link storedNames}. */
export function windowName(window: AccountWindow): string {
  return nameInFull(storedNames(window));
}

/** The name of a window with the texts of its callers, for people. */
export function nameInFull({ account, mode, windowMs, namespace, identifier }: AccountWindow): string {
  return JSON.stringify([account, mode, windowMs, namespace, identifier]);
}

const windowNameSchema = z.tuple([z.string(), keyModeSchema, z.number(), z.string(), z.string()]);

/** Parses a name of {@link windowName} or {@link nameInFull}. */
export function parsedName(name: string): AccountWindow {
  const [account, mode, windowMs, namespace, identifier] = windowNameSchema.parse(JSON.parse(name));
  return { account, mode, windowMs, namespace, identifier };
}

/** The name of a stored Idempotency-Key. */
export function rememberedName({ account, keyId }: LimiterKey, digest: string): string {
  return JSON.stringify([account, keyId, digest]);
}
