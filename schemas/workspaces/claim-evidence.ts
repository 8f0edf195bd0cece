import { z } from 'zod';
import { epochMsSchema } from '../base/time.ts';

/** Kinds of results that the service itself has seen to work (infra/docs/reference/workspaces.md#claiming). */
export const verifiedKindSchema = z.enum(['import', 'checklist']);

/** The verified result that a claim rests on, as the gateway has read it from the product. */
export const claimEvidenceSchema = z.strictObject({
  kind: verifiedKindSchema,
  id: z.string().min(1).max(80),
  /** When what it is about came in. */
  at: epochMsSchema,
});

export type ClaimEvidence = z.infer<typeof claimEvidenceSchema>;
