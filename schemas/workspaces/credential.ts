import type { z } from 'zod';
import type { Actor } from '../base/command.ts';
import type { JsonObject } from '../base/json.ts';

/** The facts about every caller with a kind of credential. */
export interface CallerFacts {
  /** Names the credential in the list of capabilities. */
  readonly label: string;
  /** Says in the OpenAPI document who the caller is. */
  readonly description: string;
  /** The kind of the acting party in commands. */
  readonly actor: Actor['kind'];
  /** Says how often requests come from pages of the origin that the credential is bound to. */
  readonly pages: 'never' | 'sometimes' | 'always';
  /** The unit that rate limits count by, if it is not the caller. */
  readonly countedBy?: 'installation';
  /** True where the id stands for a customer's person and is not logged. */
  readonly idIsPrivate?: true;
}

/** A kind of caller that a product adds. It belongs to one workspace. */
export interface ProductCredential extends CallerFacts {
  /** The word after `svc_` in its secrets, which are bearer credentials. Null: it has none, and the path names the caller. */
  readonly secret: string | null;
  /** The kind of the index entries that lead from the digest of a secret, or of the caller's id, to its target. */
  readonly indexKind: string;
  readonly target: z.ZodType<JsonObject>;
  /** Makes the product's command that tells when the caller with this id was last seen. */
  readonly useOf?: (id: string) => { readonly type: string; readonly input: JsonObject };
}

/** Declares a credential. `Known`: the fields of its callers that its authenticator gives, besides id and workspace. */
export function credential<Known>() {
  return <const Declared extends ProductCredential>(
    declared: Declared,
  ): Declared & { readonly known?: Known } => declared;
}
