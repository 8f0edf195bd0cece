import type { CommandOf, CommandSchemas } from '../base/command.ts';

export const peopleCommands = {} as const satisfies CommandSchemas;
