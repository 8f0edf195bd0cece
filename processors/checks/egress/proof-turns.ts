import { type Fault, serviceError } from '../../../schemas/base/errors.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import type { Party } from '../../../schemas/workspaces/party.ts';
import type { ProofFile, ProofReader, ProofReading } from '../../../topics/ports/proofs.ts';
import { Turns } from '../../runtime/work/turns.ts';
import type { ProofFetcher } from './read-proof.ts';

/** Proofs that are fetched at the same time, each for a few seconds. */
const PROOFS_AT_ONCE = 64;
/** Those of one workspace. */
const PROOFS_OF_WORKSPACE_MAX = 2;
/** Readings that wait for a turn, of one creator. */
const WAITING_OF_CREATOR_MAX = 64;
/** The time in which a reading gets its turn. */
const WAIT_MS = 5_000;

const RETRY_AFTER_SECONDS = WAIT_MS / SECOND_MS;

const SHARE_FULL: Fault = {
  at: 'request.rate',
  seen: 'more origins that wait for the reading of their proof than the share of one caller',
  expected: 'fewer at the same time',
};

/**
 * Bounds the readings of proofs, so that silent servers of some workspaces keep no others waiting. A file is fetched once at a
 * time: all who ask for it meanwhile share the reading.
 */
export function takeTurns(fetcher: ProofFetcher): ProofReader {
  const turns = new Turns({
    name: 'reader of proofs',
    slots: PROOFS_AT_ONCE,
    workspaceMax: PROOFS_OF_WORKSPACE_MAX,
    creatorWaitingMax: WAITING_OF_CREATOR_MAX,
    shareFull: () => serviceError('rate_limited', SHARE_FULL, RETRY_AFTER_SECONDS),
  });
  const readings = new Map<string, Promise<ProofReading>>();
  const begin = async (name: string, file: ProofFile, party: Party) => {
    try {
      return await turns.run(party, AbortSignal.timeout(WAIT_MS), () => fetcher.read(file));
    } finally {
      readings.delete(name);
    }
  };
  return {
    read(file, party) {
      const name = JSON.stringify([file.url, file.content]);
      const reading = readings.get(name) ?? begin(name, file, party);
      readings.set(name, reading);
      return reading;
    },
  };
}
