import { EgressGuard, type EgressRules } from '../../processors/checks/egress/guard.ts';
import { createProofReader } from '../../processors/checks/egress/read-proof.ts';
import { createResolver } from '../../processors/checks/egress/resolver.ts';
import { Semaphore } from '../../schemas/base/semaphore.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { Meter } from '../../topics/ports/meter.ts';
import type { ProofReader } from '../../topics/ports/proofs.ts';
import type { Settings } from './settings.ts';

/** The ways to the internet of this process. */
export interface Egress {
  readonly guard: EgressGuard;
  readonly proofs: ProofReader;
}

/** Proofs that are fetched at the same time, each for a few seconds. */
const PROOFS_AT_ONCE = 16;
/** Proofs that wait for that. */
const PROOFS_WAITING_MAX = 64;

/** Opens the egress of browser checks: the public internet without the hosts of this service and what its operator denies. */
export function openEgress(
  { hosts, loopbackPorts, egressDenied: denied }: Pick<Settings, 'hosts' | 'loopbackPorts' | 'egressDenied'>,
  meter: Pick<Meter, 'egressRefused'> | undefined,
): Egress {
  const ownHosts = Object.values(hosts).map((host) => new URL(host).hostname);
  const onRefused: EgressRules['onRefused'] = (rule) => meter?.egressRefused(rule);
  const guard = new EgressGuard({ resolver: createResolver(), loopbackPorts, ownHosts, denied, onRefused });
  const reader = createProofReader({ guard });
  const bound = new Semaphore({
    runningMax: PROOFS_AT_ONCE,
    waitingMax: PROOFS_WAITING_MAX,
    refuse: () => new EngineUnavailableError('reader of proofs'),
  });
  return { guard, proofs: { read: (file) => bound.run(() => reader.read(file)) } };
}
