import type { CommandOf, CommandSchemas } from '../base/command.ts';

export const organizationsCommands = {} as const satisfies CommandSchemas;
