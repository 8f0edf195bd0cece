import { digestsEqual } from '../base/digest.ts';
import type { WorkspaceDocument } from './documents.ts';

/**
 * The state of a claim code.
 * - `open`: the code can attach the workspace.
 * - `used`: the code has attached the workspace.
 * - `ended`: a later link replaced its link, the link expired, or there were too many wrong confirm codes.
 */
export type ClaimMatch = 'open' | 'used' | 'ended';

/** The state of a claim code for the workspace of its index entry. `claimDigest`: SHA-256 of the code. */
export function matchClaim(workspace: WorkspaceDocument, claimDigest: string, now: number): ClaimMatch {
  const { attachment, claimLink } = workspace;
  if (attachment !== null) return digestsEqual(attachment.claimDigest, claimDigest) ? 'used' : 'ended';
  if (claimLink === null || now >= claimLink.expiresAt) return 'ended';
  return digestsEqual(claimLink.digest, claimDigest) ? 'open' : 'ended';
}
