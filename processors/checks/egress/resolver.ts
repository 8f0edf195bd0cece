// Reads: the domain name system.
import { Resolver as Client } from 'node:dns/promises';
import { withTimeout } from '../../../schemas/base/timeout.ts';

/** One question to one server; the next server is asked after it. */
const QUESTION_TIMEOUT_MS = 2_000;
/** The time that IPv6 addresses have once there are others. */
const IPV6_WAIT_MS = 1_000;
/** Questions to each server. */
const TRIES_MAX = 2;

/** Finds the addresses of a host name. */
export interface Resolver {
  /** Returns every IPv4 and IPv6 address, IPv4 first; empty if there is none. Never rejects. */
  resolve(host: string): Promise<readonly string[]>;
}

/**
 * Asks the name servers of this machine, or `servers`, for the A and AAAA records of a name. It reads no hosts file and no
 * search list, which may lead into the local network. If the question for IPv4 addresses fails for another reason than a missing
 * record, the name has no address. Many name servers fail at the other one, so the IPv4 addresses count without its answer.
 */
export function createResolver(servers?: readonly string[]): Resolver {
  const client = new Client({ timeout: QUESTION_TIMEOUT_MS, tries: TRIES_MAX });
  if (servers !== undefined) client.setServers(servers);
  return {
    async resolve(host) {
      const six = client.resolve6(host).catch(() => []);
      const four = await client.resolve4(host).catch(noRecord);
      if (four === null) return [];
      return four.length === 0 ? await six : [...four, ...(await orNone(six))];
    },
  };
}

function orNone(addresses: Promise<string[]>): Promise<string[]> {
  return withTimeout(IPV6_WAIT_MS, addresses, () => new Error('late')).catch(() => []);
}

function noRecord({ code }: NodeJS.ErrnoException): [] | null {
  return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : null;
}
