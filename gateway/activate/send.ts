import type { z } from 'zod';
import type { activateCommands } from '../../schemas/activate/commands.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { RouteCommand } from '../http/route.ts';

/** Sends a command to an installation's checklists and returns its result. */
export function send<Type extends keyof typeof activateCommands>(
  { submit }: { submit(command: RouteCommand): Promise<JsonObject> },
  installationId: string,
  type: Type,
  input: z.infer<(typeof activateCommands)[Type]> & JsonObject,
  options: Pick<RouteCommand, 'idempotencyKey' | 'digestInput'> = {},
): Promise<JsonObject> {
  return submit({ topic: 'activate', key: installationId, type, input, ...options });
}
