// Types of the library are written out, so that they can be read without a schema. Here they are compared with the schemas.
import { describe, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type {
  eventAnswerSchema,
  eventRequestSchema,
  progressSessionAnswerSchema,
} from '../../schemas/activate/http.ts';
import type {
  acknowledgedSchema,
  batchAnswerSchema,
  mintedSessionSchema,
} from '../../schemas/imports/delivery-http.ts';
import type { checkRequestSchema } from '../../schemas/limiter/http.ts';
import type { Check } from './check.ts';
import type { BatchAnswer } from './content-address.ts';
import type { Acknowledged } from './delivery-calls.ts';
import type { Accepted, EventsOptions, Milestone } from './events.ts';
import type { RowOf } from './row-types.ts';
import type { ImportSession, ProgressSession } from './sessions.ts';

describe('the types', () => {
  it('of requests are those of the schemas', () => {
    expectTypeOf<Check>().toExtend<z.input<typeof checkRequestSchema>>();
    expectTypeOf<keyof Check>().toEqualTypeOf<keyof z.input<typeof checkRequestSchema>>();
    type Event = z.input<typeof eventRequestSchema>;
    expectTypeOf<keyof Milestone | 'schemaVersion' | 'cohort'>().toEqualTypeOf<keyof Event>();
    expectTypeOf<EventsOptions['cohort']>().toEqualTypeOf<Event['cohort']>();
  });

  it('of answers are those of the schemas', () => {
    expectTypeOf<z.output<typeof mintedSessionSchema>>().toExtend<ImportSession>();
    expectTypeOf<keyof ImportSession>().toEqualTypeOf<keyof z.output<typeof mintedSessionSchema>>();
    expectTypeOf<z.output<typeof progressSessionAnswerSchema>>().toExtend<ProgressSession>();
    expectTypeOf<keyof ProgressSession>().toEqualTypeOf<keyof z.output<typeof progressSessionAnswerSchema>>();
    expectTypeOf<z.output<typeof batchAnswerSchema>>().toExtend<BatchAnswer>();
    expectTypeOf<z.output<typeof acknowledgedSchema>>().toExtend<Acknowledged>();
    type Known = Omit<Accepted, 'outcome' | 'idempotencyKey'>;
    expectTypeOf<z.output<typeof eventAnswerSchema>>().toExtend<Known>();
  });

  it('of rows follow the fields of the schema', () => {
    const fields = [
      { key: 'code', type: 'text', required: true },
      { key: 'paid', type: 'boolean', required: false },
    ] as const;
    expectTypeOf<RowOf<typeof fields>>().toEqualTypeOf<{
      readonly code: string;
      readonly paid: boolean | null;
    }>();
  });
});
