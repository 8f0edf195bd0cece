import type { CommandGroup, OptionSpec } from '../command.ts';
import { CHECKLIST_FILE } from '../file-examples.ts';
import { idFault, numberFault } from '../option-faults.ts';

const CHECKLIST = 'chk_abcdefghijklmnopqrstuvwx';
const CONFIGURATION = JSON.stringify(CHECKLIST_FILE);

const checklistOption: OptionSpec = {
  name: 'checklist',
  value: 'id',
  summary: 'id of the checklist',
  required: true,
  fault: idFault('chk'),
};

const configurationOptions: readonly OptionSpec[] = [
  {
    name: 'configuration-json',
    value: 'json',
    summary: 'name, allowedOrigins and 1 to 5 steps, each with key, label, description and actionPath',
  },
  { name: 'configuration', value: 'file', summary: 'the same in a JSON file; - for standard input' },
];

export const activateCommands: CommandGroup = {
  name: 'activate',
  summary: 'Show onboarding checklists: create, test, revise, read counts',
  commands: [
    {
      name: 'activate create',
      summary: 'Create a checklist',
      details: 'The same configuration again is the same checklist.',
      options: configurationOptions,
      file: CHECKLIST_FILE,
      example: ['--configuration-json', CONFIGURATION],
      run: async (context, options) => (await import('./configure.ts')).createChecklist(context, options),
    },
    {
      name: 'activate list',
      summary: 'List the checklists',
      options: [],
      example: [],
      run: async (context) => (await import('./list.ts')).listChecklists(context),
    },
    {
      name: 'activate test',
      summary: 'Report a milestone of one fixed synthetic subject',
      details: 'The subject is always the same, in the test cohort. A repeat counts once.',
      options: [
        checklistOption,
        { name: 'event', value: 'step key', summary: 'key of the milestone', required: true },
      ],
      example: ['--checklist', CHECKLIST, '--event', 'profile'],
      run: async (context, options) => (await import('./test-event.ts')).sendTestEvent(context, options),
    },
    {
      name: 'activate page',
      summary: 'Print a program that serves a page with the checklist on this machine',
      details:
        'Keep it as page.mjs and start it with run -- node page.mjs, which gives it the credential. It is the page, and the backend with its two routes: the session of the widget, and the report of a milestone. It serves the first allowed origin over HTTPS on 127.0.0.1:8443 (PORT; any other one if that is taken), with a certificate of openssl, and prints the command for a browser that maps the origin to it. So an origin in https is proved without a domain, a tunnel or a change to this machine.',
      options: [checklistOption],
      example: ['--checklist', CHECKLIST],
      run: async (context, options) => (await import('./page.ts')).printPage(context, options),
    },
    {
      name: 'activate status',
      summary: 'Count the enrollments and the completed milestones of a revision',
      options: [
        checklistOption,
        { name: 'revision', value: 'number', summary: 'revision', required: true, fault: numberFault },
        {
          name: 'cohort',
          value: 'test or live',
          summary: 'test for synthetic subjects, live for those of a claimed workspace',
          required: true,
          choices: ['test', 'live'],
        },
      ],
      example: ['--checklist', CHECKLIST, '--revision', '1', '--cohort', 'test'],
      run: async (context, options) => (await import('./summary.ts')).readSummary(context, options),
    },
    {
      name: 'activate revise',
      summary: 'Make the next revision of a checklist',
      details: 'Subjects that have started keep their revision.',
      options: [
        checklistOption,
        {
          name: 'expected-revision',
          value: 'number',
          summary: 'the current revision',
          required: true,
          fault: numberFault,
        },
        ...configurationOptions,
      ],
      file: CHECKLIST_FILE,
      example: [
        ...['--checklist', CHECKLIST, '--expected-revision', '1'],
        ...['--configuration-json', CONFIGURATION],
      ],
      run: async (context, options) => (await import('./configure.ts')).reviseChecklist(context, options),
    },
  ],
};
