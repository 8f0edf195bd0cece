import type { CommandOf, CommandSchemas } from '../base/command.ts';

export const workspacesCommands = {} as const satisfies CommandSchemas;
