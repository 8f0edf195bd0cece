import { z } from 'zod';
import { type CommandTable, noResult } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { originSchema } from '../base/origin.ts';
import { epochMsSchema } from '../base/time.ts';
import { lifecycleCommands } from '../workspaces/lifecycle.ts';
import { contentNameSchema, submissionStateSchema } from './documents.ts';

const widgetId = idSchema('widget');

const submissionFields = { widgetId, submissionId: idSchema('submission') };

const received = z.strictObject({ receivedAt: epochMsSchema });

/** Commands of the topic `feedback`; the key is the installation. */
export const feedbackCommands = {
  ...lifecycleCommands,
  'create-widget': {
    input: z.strictObject({ widgetId, origin: originSchema }),
    result: z.strictObject({
      widgetId,
      createdAt: epochMsSchema,
      /** The origin of the widget that this one took the place of; absent if none. */
      replacedOrigin: originSchema.optional(),
    }),
  },
  /** A submission of a visitor, whose content the gateway has stored in a blob. */
  'receive-submission': {
    input: z.strictObject({
      ...submissionFields,
      blob: contentNameSchema,
      digest: sha256Schema,
      /** True if a program may have sent it. */
      held: z.boolean(),
    }),
    result: received,
  },
  'verify-submission': { input: z.strictObject(submissionFields), result: received },
  'move-submission': {
    input: z.strictObject({
      ...submissionFields,
      state: submissionStateSchema,
      /** The state in which the caller saw it; absent: any. */
      from: submissionStateSchema.optional(),
    }),
    result: received.extend({ state: submissionStateSchema }),
  },
  'remove-submission': { input: z.strictObject(submissionFields), result: noResult },
  /** From the sweeper: the submission may have ended. */
  'tidy-submission': { input: z.strictObject(submissionFields), result: noResult },
} as const satisfies CommandTable;
