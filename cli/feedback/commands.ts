import type { CommandGroup } from '../command.ts';
import { idFault } from '../option-faults.ts';

const ORIGIN = 'https://app.example.com';
const WIDGET = 'wid_abcdefghijklmnopqrstuvwx';
const SUBMISSION = 'sub_abcdefghijklmnopqrstuvwx';

export const feedbackCommands: CommandGroup = {
  name: 'feedback',
  summary: 'Take feedback on a page: create a widget, verify a submission',
  commands: [
    {
      name: 'feedback create',
      summary: 'Create a feedback widget for an origin, and get the tag for its pages',
      details:
        'The same origin again is the same widget. In a preview, another origin replaces the widget as long as no submission has arrived. An origin is https, a host name and nothing else, as browsers see it: localhost, addresses of numbers and ports are refused. A page on a development machine is reached by such a name over a tunnel or a preview deployment.',
      options: [
        { name: 'origin', value: 'https origin', summary: 'exact origin of the pages', required: true },
      ],
      example: ['--origin', ORIGIN],
      run: async (context, options) => (await import('./create.ts')).createWidget(context, options),
    },
    {
      name: 'feedback list',
      summary: 'List the widgets with the numbers of their submissions',
      options: [],
      example: [],
      run: async (context) => (await import('./list.ts')).listWidgets(context),
    },
    {
      name: 'feedback verify',
      summary: 'Verify that a submission has arrived, without its message',
      details:
        'The page has the id: detail.submissionId of the event svcfeedback:received, and the attribute data-submission-id. A submission that is held is not found: one that was sent within 2 seconds of the opening of its form, as programs do. A driver of a browser waits that long.',
      options: [
        { name: 'widget', value: 'id', summary: 'id of the widget', required: true, fault: idFault('wid') },
        {
          name: 'submission',
          value: 'id',
          summary: 'id of the submission',
          required: true,
          fault: idFault('sub'),
        },
      ],
      example: ['--widget', WIDGET, '--submission', SUBMISSION],
      run: async (context, options) => (await import('./verify.ts')).verifySubmission(context, options),
    },
  ],
};
