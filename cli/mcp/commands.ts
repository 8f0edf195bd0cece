import type { CommandSpec } from '../command.ts';

/** The command for clients of the Model Context Protocol that start their servers. */
export const mcpCommands: readonly CommandSpec[] = [
  {
    name: 'mcp',
    summary: 'Serve the tools of the Model Context Protocol on standard input and output',
    details:
      'For clients that start a server as a process. Each message goes to /mcp of the service with the credential of this directory, so the client never has it. Ends when its input ends.',
    options: [],
    example: [],
    run: async (context) => (await import('./serve.ts')).serveMcp(context),
  },
];
