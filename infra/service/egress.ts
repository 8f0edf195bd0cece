import { EgressGuard } from '../../processors/checks/egress/guard.ts';
import { createProofReader } from '../../processors/checks/egress/read-proof.ts';
import { createResolver } from '../../processors/checks/egress/resolver.ts';
import type { ProofReader } from '../../topics/ports/proofs.ts';
import type { Settings } from './settings.ts';

/** The ways to the internet of this process. */
export interface Egress {
  readonly guard: EgressGuard;
  readonly proofs: ProofReader;
}

/** Opens the egress of browser checks: the public internet without the hosts of this service. */
export function openEgress({ hosts, loopbackPorts }: Pick<Settings, 'hosts' | 'loopbackPorts'>): Egress {
  const ownHosts = Object.values(hosts).map((host) => new URL(host).hostname);
  const guard = new EgressGuard({ resolver: createResolver(), loopbackPorts, ownHosts });
  return { guard, proofs: createProofReader({ guard }) };
}
