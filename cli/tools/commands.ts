import { BUN } from '../../schemas/base/bun.ts';
import type { CommandSpec } from '../command.ts';
import { SHELLS } from './shells.ts';

/** The commands about the tool itself. */
export const toolCommands: readonly CommandSpec[] = [
  {
    name: 'doctor',
    summary: 'Check address, version, clock, proxy, folder and credential',
    details: 'Exits with 8 if a check failed. Each check says what helps.',
    options: [],
    example: [],
    run: async (context) => (await import('./doctor.ts')).runDoctor(context),
  },
  {
    name: 'run',
    summary: 'Run a command with the credential in its variables',
    details:
      'For the backend of this project while it is developed: it gets the variables of the caller with SVC_BASE_URL, SVC_INSTALLATION_ID and SVC_CREDENTIAL, none of a .env file, and nothing is printed. A credential that the service does not accept any more starts nothing. The exit code is the one of the command. For production, an owner makes a separate credential in the console.',
    options: [],
    rest: 'command',
    example: ['--', 'npm', 'start'],
    run: async (context, options) => (await import('./run.ts')).runCommand(context, options),
  },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell',
    details: `It completes the name svc, for example after alias svc="${BUN} svc-cli-v0.4.0.js".`,
    options: [],
    argument: { name: 'shell', choices: SHELLS },
    example: ['bash'],
    run: async (context, options) => (await import('./completion.ts')).printCompletion(context, options),
  },
  {
    name: 'skill',
    summary: 'Print a guide for agents as Markdown',
    details: 'Store it where the agent looks for skills. It names every command with an example.',
    options: [],
    example: [],
    run: async (context) => (await import('./skill.ts')).printSkill(context),
  },
];
