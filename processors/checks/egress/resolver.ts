// Reads: the domain name system.
import { Resolver as Client } from 'node:dns/promises';

/** One question to one server; the next server is asked after it. */
const QUESTION_TIMEOUT_MS = 2_000;
/** Questions to each server. */
const TRIES_MAX = 2;

/** Finds the addresses of a host name. */
export interface Resolver {
  /** Returns every IPv4 and IPv6 address, IPv4 first; empty if there is none. Never rejects. */
  resolve(host: string): Promise<readonly string[]>;
}

/**
 * Asks the name servers of this machine, or `servers`, for the A and AAAA records of a name. It reads no hosts file and no
 * search list, which may lead into the local network. If either question fails for another reason than a missing record, the
 * name has no address: an answer that was not seen cannot be checked.
 */
export function createResolver(servers?: readonly string[]): Resolver {
  const client = new Client({ timeout: QUESTION_TIMEOUT_MS, tries: TRIES_MAX });
  if (servers !== undefined) client.setServers(servers);
  return {
    async resolve(host) {
      try {
        const answers = await Promise.all([
          client.resolve4(host).catch(noRecord),
          client.resolve6(host).catch(noRecord),
        ]);
        return answers.flat();
      } catch {
        return [];
      }
    },
  };
}

function noRecord(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return [];
  throw error;
}
