import type { CommandOf, CommandSchemas } from '../base/command.ts';

export const importsCommands = {} as const satisfies CommandSchemas;
