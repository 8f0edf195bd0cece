import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../../../schemas/base/json.ts';
import { SECRET_BYTES, secretFrom } from '../../../../schemas/base/secrets.ts';
import type { TableName } from '../../../../topics/catalogue.ts';
import type { Customer, Told, Wish } from '../customer.ts';

/** Who the load's people are: one signed-in owner for all customers. */
export interface Owner {
  readonly cookie: string;
}

/** Rows that only wishes of a load make: there are as many of them as the history says, and none besides. */
export interface CountedKind {
  readonly table: TableName;
  readonly kind: string;
  /** Whether a wish made the row; others of the kind come by themselves. */
  readonly counts?: (document: JsonObject) => boolean;
}

/** One kind of customer. A run has several of each, who tell their story again and again until the run is over. */
export interface Load {
  readonly name: string;
  readonly counted: readonly CountedKind[];
  /** Tells one story from its beginning, with things that nobody else touches. */
  tell(customer: Customer, owner: Owner): Promise<void>;
}

/** A refusal that ends the story; the history has it, and the checker says whether it was in order. */
export class StoryEndedError extends Error {
  constructor(name: string, code: string) {
    super(`${name} was refused: ${code}`);
    this.name = 'StoryEndedError';
  }
}

/** The body of an answer that has to be an acknowledgment for the story to go on. */
export async function granted<Body>(customer: Customer, wish: Wish<Body>): Promise<Body> {
  return bodyOf(wish.name, await customer.wish(wish));
}

/** @throws {StoryEndedError} when it was refused. */
export function bodyOf<Body>(name: string, told: Told<Body>): Body {
  if (told.kind === 'refused') throw new StoryEndedError(name, told.code);
  return told.body;
}

export interface Workspace {
  readonly workspaceId: string;
  readonly installationId: string;
  readonly provisionToken: string;
  readonly credential: string;
}

/** The rows of workspaces that creations make. */
export const WORKSPACE_ROOTS: CountedKind = { table: 'workspaces', kind: '' };

/** Begins a story: a preview workspace with the opt-ins, made by a token of the customer's own. */
export function createWorkspace(customer: Customer, products: readonly string[]): Promise<Workspace> {
  const provisionToken = secretFrom('provision', randomBytes(SECRET_BYTES));
  return granted<Workspace>(customer, {
    name: 'create workspace',
    request: {
      method: 'POST',
      path: '/v1/agent/workspaces',
      json: { name: 'Faults', cohort: 'dogfood', products, provisionToken },
    },
    status: 201,
    promises: ({ installationId }) => [
      { row: { table: 'workspaces', aggregate: installationId, kind: '', id: '' } },
    ],
  });
}
