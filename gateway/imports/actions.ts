import type { InputOf } from '../../schemas/base/command.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { importsCommands } from '../../schemas/imports/commands.ts';
import type { RouteOverrides, RouteSubmit } from '../http/route.ts';

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
