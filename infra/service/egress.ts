import { EgressGuard, type EgressRules } from '../../processors/checks/egress/guard.ts';
import { takeTurns } from '../../processors/checks/egress/proof-turns.ts';
import { createProofReader } from '../../processors/checks/egress/read-proof.ts';
import { createResolver } from '../../processors/checks/egress/resolver.ts';
import { clientName } from '../../schemas/checks/client.ts';
import type { Meter } from '../../topics/ports/meter.ts';
import type { ProofReader } from '../../topics/ports/proofs.ts';
import type { Settings } from './settings/settings.ts';

/** The ways to the internet of this process. */
export interface Egress {
  readonly guard: EgressGuard;
  /** For the gateway: one party after the other. */
  readonly proofs: ProofReader;
}

/** Opens the egress of browser checks: the public internet without the hosts of this service and what its operator denies. */
export function openEgress(
  { hosts, loopbackPorts, egressDenied: denied }: Pick<Settings, 'hosts' | 'loopbackPorts' | 'egressDenied'>,
  meter: Pick<Meter, 'egressRefused'> | undefined,
): Egress {
  const ownHosts = Object.values(hosts).map((host) => new URL(host).hostname);
  const onRefused: EgressRules['onRefused'] = (rule) => meter?.egressRefused(rule);
  const guard = new EgressGuard({ resolver: createResolver(), loopbackPorts, ownHosts, denied, onRefused });
  return { guard, proofs: takeTurns(createProofReader({ guard, clientName: clientName(hosts.base) })) };
}
