import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../../../schemas/base/json.ts';
import { SECRET_BYTES, secretFrom } from '../../../../schemas/base/secrets.ts';
import type { TableName } from '../../../../topics/catalogue.ts';
import type { Customer, Intent, Told } from '../customer.ts';

/** The signed-in owner that all customers share. */
export interface Owner {
  readonly cookie: string;
}

/** Rows that only intents of a load make. The history accounts for each of them. */
export interface CountedKind {
  readonly table: TableName;
  readonly kind: string;
  /** True if an intent made the row. The service makes other rows of the kind itself. */
  readonly counts?: (document: JsonObject) => boolean;
}

/** One kind of customer. A run has several of each, who tell their story again and again until the run is over. */
export interface Load {
  readonly name: string;
  readonly counted: readonly CountedKind[];
  /** Plays one story from its beginning, on resources that no other customer uses. */
  tell(customer: Customer, owner: Owner): Promise<void>;
}

/** A refusal that ends the story. The history has it, and the checker decides if it was in order. */
export class StoryEndedError extends Error {
  constructor(name: string, code: string) {
    super(`${name} was refused: ${code}`);
    this.name = 'StoryEndedError';
  }
}

/** Sends an intent and returns the body of its acknowledgment, without which the story cannot continue. */
export async function granted<Body>(customer: Customer, intent: Intent<Body>): Promise<Body> {
  return bodyOf(intent.name, await customer.intent(intent));
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
