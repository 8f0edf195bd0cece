import type { InputOf } from '../../schemas/base/command.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { importsCommands } from '../../schemas/imports/commands.ts';
import type { Answer, RouteOverrides, RouteSubmit } from '../http/route.ts';

/** What sending a command takes; every route's context has it. */
export interface Sender {
  readonly submit: RouteSubmit;
}

/** Sends a command to an installation's imports and returns its result. */
export function send<Type extends keyof typeof importsCommands>(
  { submit }: Sender,
  installationId: string,
  type: Type,
  input: InputOf<typeof importsCommands, Type>,
  options: Pick<RouteOverrides, 'idempotencyKey' | 'digestInput'> = {},
): Promise<JsonObject> {
  return submit({ topic: 'imports', key: installationId, type, input, ...options });
}

/** Starts a validation; the answer is the import's status. */
export async function validateImport(
  sender: Sender,
  installationId: string,
  importId: string,
  options: { readonly idempotencyKey: string },
): Promise<Answer> {
  return { body: await send(sender, installationId, 'validate-import', { importId }, options) };
}

/** Cancels an import; the answer is its status. */
export async function cancelImport(
  sender: Sender,
  installationId: string,
  importId: string,
): Promise<Answer> {
  return { body: await send(sender, installationId, 'cancel-import', { importId }) };
}
