import { digestsEqual } from '../base/digest.ts';
import type { WorkspaceDocument } from './documents.ts';

/**
 * What a claim code leads to.
 * - `open`: it can be attached with it.
 * - `used`: it has been attached with it.
 * - `ended`: another link came after it, its time is over, or too many wrong confirm codes were typed.
 */
export type ClaimMatch = 'open' | 'used' | 'ended';

/** Decides what a claim code means for the workspace that it once pointed to. `claimDigest`: SHA-256 of the code. */
export function matchClaim(workspace: WorkspaceDocument, claimDigest: string, now: number): ClaimMatch {
  const { attachment, claimLink } = workspace;
  if (attachment !== null) return digestsEqual(attachment.claimDigest, claimDigest) ? 'used' : 'ended';
  if (claimLink === null || now >= claimLink.expiresAt) return 'ended';
  return digestsEqual(claimLink.digest, claimDigest) ? 'open' : 'ended';
}
