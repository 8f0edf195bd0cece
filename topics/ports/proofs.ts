import type { TlsCause } from '../../schemas/checks/tls-causes.ts';
import type { Party } from '../../schemas/workspaces/party.ts';

/** The file that proves an origin, as the service expects it. */
export interface ProofFile {
  readonly url: string;
  /** The exact text; one line break after it is allowed. */
  readonly content: string;
}

/** The facts about what was found in place of the file. They never hold a byte of what was fetched. */
export interface ProofMismatch {
  readonly kind: 'mismatch';
  readonly status: number;
  /** The media type without parameters; null if there is none, or one that is no plain token. */
  readonly contentType: string | null;
  /** Bytes of the body; null if it is longer than any proof. */
  readonly length: number | null;
}

/** The reason for which there was no answer. */
export type ProofFailure = 'blocked' | 'dns' | 'connect' | 'tls' | 'timeout';

export type ProofReading =
  | { readonly kind: 'matches' }
  | ProofMismatch
  | {
      readonly kind: 'failed';
      readonly reason: ProofFailure;
      /** Of `tls`, if it is known. */
      readonly cause?: TlsCause | undefined;
    };

/** Fetches the files that prove origins from the public internet, for the parties that have named them. */
export interface ProofReader {
  /**
   * Fetches the file for a party, without following redirects.
   *
   * @throws {EngineUnavailableError} if the party would have to wait longer than a few seconds for its turn
   */
  read(file: ProofFile, party: Party): Promise<ProofReading>;
}
