import { z } from 'zod';
import { epochMsSchema } from '../base/time.ts';
import { PRODUCTS } from '../products.ts';

/** Kinds of results that the service has verified itself (infra/docs/reference/workspaces.md#claiming). */
export const verifiedKindSchema = z.enum(PRODUCTS.map(({ verifiedResult }) => verifiedResult.kind));

/** The verified result that a claim rests on. The gateway reads it from the product. */
export const claimEvidenceSchema = z.strictObject({
  kind: verifiedKindSchema,
  id: z.string().min(1).max(80),
  /** The time of the upload or of the event, in Unix milliseconds. */
  at: epochMsSchema,
});

export type ClaimEvidence = z.infer<typeof claimEvidenceSchema>;
