import type { CommandGroup } from '../command.ts';
import { idFault, productFault } from '../option-faults.ts';

export const workspaceCommands: CommandGroup = {
  name: 'workspace',
  summary: 'Create a workspace, read its limits, hand it to a person',
  commands: [
    {
      name: 'workspace discover',
      summary: 'List hosts, products, limits and downloads of a service',
      details: 'Needs no workspace.',
      options: [],
      example: ['--base-url', 'https://api.example.com'],
      run: async (context) => (await import('./discover.ts')).discover(context),
    },
    {
      name: 'workspace create',
      summary: 'Create a preview workspace for this directory',
      details:
        'A preview lasts 72 hours and needs no account. Products cannot be added later. The same directory is always the same workspace: a repeat finishes a creation that was interrupted, and shows one that is there.',
      options: [
        {
          name: 'name',
          value: 'text',
          summary: 'name that people see, at most 80 characters; can be omitted in a repeat',
        },
        {
          name: 'cohort',
          value: 'external or dogfood',
          summary:
            'external for use outside of the company that runs the service, the default; dogfood for its own tests',
          choices: ['external', 'dogfood'],
        },
        {
          name: 'products',
          value: 'names',
          summary:
            'products to opt into, with commas or repeated: svcactivate for checklists, svcimport for imports; svcfeedback and svccheck are always on',
          list: true,
          fault: productFault,
        },
      ],
      example: [
        ...['--name', 'First', '--products', 'svcactivate,svcimport'],
        ...['--base-url', 'https://api.example.com'],
      ],
      run: async (context, options) => (await import('./create.ts')).createWorkspace(context, options),
    },
    {
      name: 'workspace status',
      summary: 'Show state, end and limits of the workspace',
      options: [],
      example: [],
      run: async (context) => (await import('./status.ts')).readStatus(context),
    },
    {
      name: 'workspace claim',
      summary: "Open the private claim link in the human's browser",
      details:
        'The link is never printed. The command prints the path of a file that opens the link, and the confirm code. On a remote machine, and where no browser can be opened, a person copies this file to a browser. A new link replaces the previous one.',
      options: [{ name: 'print-path', summary: 'print the path of the file instead of opening it' }],
      example: [],
      run: async (context, options) => (await import('./claim.ts')).claimWorkspace(context, options),
    },
    {
      name: 'workspace credential',
      summary: 'Store the credential that an owner has rotated',
      details:
        'An owner rotates a credential in the console, or makes another one, and sees it once. The command reads it from standard input, checks it with the service and keeps it in .svc, so that no argument and no output has it. In a directory without .svc, such as a fresh clone, --base-url and --installation name the workspace, and the command makes the folder. A workspace without an owner gets no other credential: move .svc away and create a workspace.',
      options: [
        { name: 'stdin', summary: 'read the credential from standard input', required: true },
        {
          name: 'installation',
          value: 'id',
          summary: 'id of the installation, where the directory has no .svc; or SVC_INSTALLATION_ID',
          fault: idFault('ins'),
        },
      ],
      example: ['--stdin'],
      run: async (context, options) => (await import('./credential.ts')).storeCredential(context, options),
    },
    {
      name: 'workspace trust',
      summary: 'Take over a .svc of another machine or an earlier version',
      details:
        'The tool uses only a .svc that it made for this user of this machine: a repository or an archive can bring one that sends data to a stranger. Give the address and the installation as you know them: from workspace status where the folder comes from, or from the console. Without knowing both, move .svc away and create a workspace. Moving or renaming a project on this machine needs nothing.',
      options: [
        {
          name: 'installation',
          value: 'id',
          summary: 'id of the installation',
          required: true,
          fault: idFault('ins'),
        },
      ],
      example: ['--installation', 'ins_abcdefghijklmnopqrstuvwx', '--base-url', 'https://api.example.com'],
      run: async (context, options) => (await import('./trust.ts')).trustWorkspace(context, options),
    },
  ],
};
