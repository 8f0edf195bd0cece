import {
  deadLetterDetailSchema,
  deadLetterListSchema,
  deadLetterSummarySchema,
} from '../../schemas/operations/http.ts';
import { SWITCHES_ON, switchesSchema } from '../../schemas/organizations/switches.ts';
import { nameSchema, type ProductDocumentation } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';

const LETTER = {
  deadLetterId: '001757412000000-activate-1-3-42',
  topic: 'activate',
  generation: 1,
  partition: 3,
  offset: 42,
  type: 'record-event',
  reason: 'input.stepKey: invalid_type',
  requestId: EXAMPLES.requestId,
  state: 'open' as const,
  appendedAt: EXAMPLES.at,
  at: EXAMPLES.at,
  closedAt: null,
};

const letterMembers = {
  deadLetterId: 'The time of the append and the place of the record.',
  topic: 'The topic of the record.',
  generation: 'The generation of the topic.',
  partition: 'The partition of the topic.',
  offset: 'The offset in the partition.',
  type: 'The type of the command; null if the record is no command.',
  reason: 'Why the record could not be handled, without any value of it.',
  requestId: 'The request that the record came from; null if the record is no command.',
  state: '`open` until an operator has sent it again or discarded it.',
  appendedAt: 'The time at which the record was appended, in UTC.',
  at: 'The time at which it could not be handled, in UTC.',
  closedAt: 'The time at which an operator sent it again or discarded it, in UTC; null while it is open.',
};

/** The texts about the operation of the service in the OpenAPI document. */
export const operationsDocumentation: ProductDocumentation = {
  tag: { name: 'Operations', description: 'What the operator of the service does while it runs.' },
  parameters: {
    deadLetterId: { description: 'A dead letter.', example: LETTER.deadLetterId },
    state: { description: 'Whether open or closed dead letters are listed.', example: 'open' },
    cursor: { description: 'The `nextCursor` of the page before.', example: LETTER.deadLetterId },
    limit: { description: 'The most dead letters of an answer.', example: 50 },
  },
  schemas: [
    nameSchema(
      'Switches',
      switchesSchema,
      'The new things that the service takes. What is off is refused with 503 `unavailable`; what has begun continues.',
      SWITCHES_ON,
      {
        creation: 'True if workspaces can be created.',
        feedback: 'True if feedback widgets can submit.',
        runs: 'True if runs of browser checks can be requested.',
      },
    ),
    nameSchema(
      'DeadLetter',
      deadLetterSummarySchema,
      'A record of a topic that could not be handled. Its partition continued without it.',
      LETTER,
      letterMembers,
    ),
    nameSchema(
      'DeadLetterDetail',
      deadLetterDetailSchema,
      'A dead letter with its record.',
      { ...LETTER, key: EXAMPLES.installationId, value: '{}' },
      {
        ...letterMembers,
        key: 'The key of the record.',
        value: 'The record as it was appended; null if it is too long to be kept.',
      },
    ),
    nameSchema(
      'DeadLetterList',
      deadLetterListSchema,
      'Dead letters, the newest first.',
      { deadLetters: [LETTER], open: 1, nextCursor: null },
      { deadLetters: 'The dead letters of this page.', open: 'All that are open.' },
    ),
  ],
  operations: {
    listDeadLetters: {
      description:
        'Lists the 500 newest open dead letters, or the 100 that were closed last. The topic `dead-letters` has all of the last fourteen days.',
    },
    readDeadLetter: {
      description:
        'Returns a dead letter with its record. Records hold no secret and no value of a customer.',
    },
    replayDeadLetter: {
      description:
        'Appends the record to its topic again, with the key that it had: what a client has repeated since then happens once. A record that could only fail again is refused with the reason. A repeat changes nothing.',
    },
    discardDeadLetter: {
      description: 'Closes the dead letter; its record is not sent. A repeat changes nothing.',
    },
    readSwitches: { description: 'Returns the switches. All are on until an operator sets them.' },
    setSwitches: {
      description: 'Sets all switches. Requests that arrive after the answer find them in force.',
    },
  },
};
