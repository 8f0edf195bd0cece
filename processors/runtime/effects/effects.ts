// Reads: effects of commits. Writes: topics, look-ups, the status of keys in the limiter; removes blobs.

import type { IndexKey } from '../../../topics/ports/digest-index.ts';
import type { NewRecord } from '../../../topics/ports/log.ts';
import type { ProcessorDependencies } from '../dependencies.ts';
import type { PendingEffect } from './follow-up.ts';

/**
 * Carries out the effects of a commit, in an order that can be repeated from the start. Index entries, the limiter's
 * key status and removals come first, because a client that gets an outcome may rely on them at once. All commands
 * follow in one append. Rejects with `EngineUnavailableError` if an engine is down; all effects are then carried out
 * again.
 */
export async function carryOut(
  engines: Pick<ProcessorDependencies, 'log' | 'digestIndex' | 'limiter' | 'blobs'>,
  effects: readonly PendingEffect[],
): Promise<void> {
  const records: NewRecord[] = [];
  const others: Promise<void>[] = [];
  const latest = latestEntries(effects);
  for (const effect of effects) {
    switch (effect.kind) {
      case 'append':
        records.push({ topic: effect.topic, key: effect.key, value: JSON.stringify(effect.envelope) });
        break;
      case 'lookup':
        if (latest.get(nameOf(effect.entry)) === effect) others.push(engines.digestIndex.put(effect.entry));
        break;
      case 'limiter-status':
        others.push(engines.limiter.putKeyStatus(effect.entry));
        break;
      case 'remove-blob':
        others.push(engines.blobs.remove(effect.address));
        break;
      case 'remove-blobs':
        others.push(engines.blobs.removeGroup(effect.group));
        break;
    }
  }
  await Promise.all(others);
  if (records.length > 0) await engines.log.append(records);
}

/** The last write to each index entry. Writes of one command share a version, so an earlier one could win. */
function latestEntries(effects: readonly PendingEffect[]): ReadonlyMap<string, PendingEffect> {
  const latest = new Map<string, PendingEffect>();
  for (const effect of effects) if (effect.kind === 'lookup') latest.set(nameOf(effect.entry), effect);
  return latest;
}

function nameOf({ kind, digest }: IndexKey): string {
  return `${kind}:${digest}`;
}
