import type { CommandTopicName } from './catalogue.ts';

/**
 * Commands whose fold decides again when their key comes again, although their outcome is remembered: what a key was once
 * answered may hold no longer.
 */
const DECIDED_ANEW: Partial<Record<CommandTopicName, readonly string[]>> = {
  workspaces: ['create'],
  imports: ['reserve-import'],
};

/** Whether a remembered `done` answers only the request that met it, and not another one with its key. */
export function isDecidedAnew(topic: CommandTopicName, type: string): boolean {
  return DECIDED_ANEW[topic]?.includes(type) === true;
}
