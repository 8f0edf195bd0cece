import { z } from 'zod';
import { exampleOf } from '../base/examples.ts';
import { labelSchema } from '../base/name.ts';
import { originSchema, pageOriginsSchema } from '../base/origin.ts';
import { lengthFault, ofLength } from '../base/text.ts';
import { eachOnce } from '../base/unique.ts';
import { wireForms } from '../base/wire.ts';

/** Milestones of one checklist. */
export const STEPS_MAX = 5;
const ORIGINS_MAX = 10;
const DESCRIPTION_CHARACTERS_MAX = 240;
const ACTION_PATH_CHARACTERS_MAX = 512;

const CONFIGURATION = 'The content of a checklist, and the pages that may show it.';
const ALLOWED_ORIGINS = 'Origins of the pages that may read progress. Without any, no session can be issued.';

/** Control characters and separators of lines, as ranges, because not every dialect has their classes. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
const LINE_BREAKING = `${CONTROL}\\u2028\\u2029`;

/** An origin that does not exist (RFC 2606). A path that resolves to this host names no other host. */
const DUMMY_ORIGIN = 'https://checklist.invalid';

/** A milestone's key, by which events name it. */
export const stepKeySchema = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,39}$/,
    'expected a lower-case letter, then up to 39 lower-case letters, digits, _ or -',
  )
  .register(z.globalRegistry, { example: 'connect' });

/**
 * A path of the page's own origin. It is written as it stands into a link, so whatever a browser could read
 * as the start of another address is refused: `//`, a backslash, control characters.
 */
const actionPathSchema = z
  .string()
  .check(ofLength({ max: ACTION_PATH_CHARACTERS_MAX }))
  .refine(
    staysOnOrigin,
    'expected a path of your origin, starting with / and without //, \\ or control characters',
  )
  .meta({
    description: 'The path on the page to which the milestone leads. It starts with `/`.',
    maxLength: ACTION_PATH_CHARACTERS_MAX,
    example: '/connect',
  })
  .register(wireForms, { adds: { pattern: `^(?:/|(?:/[^/\\\\${CONTROL}]+)+/?)$` } });

export const stepSchema = z
  .strictObject({
    key: stepKeySchema.describe('The key by which events name it.'),
    label: labelSchema.meta({ description: 'A short title.', example: 'Connect your data' }),
    description: z
      .string()
      .check((context) => {
        const message = descriptionFault(context.value);
        if (message !== null) context.issues.push({ code: 'custom', input: context.value, message });
      })
      .meta({
        description: 'A sentence about it.',
        maxLength: DESCRIPTION_CHARACTERS_MAX,
        example: 'Choose the source of your orders.',
      })
      .register(wireForms, { adds: { pattern: `^[^${LINE_BREAKING}]*$` } }),
    actionPath: actionPathSchema,
  })
  .meta({ id: 'ChecklistStep', description: 'A milestone.' });

export type Step = z.infer<typeof stepSchema>;

export const EXAMPLE_STEPS: readonly Step[] = [
  exampleOf(stepSchema),
  { key: 'invite', label: 'Invite a colleague', description: 'Work together.', actionPath: '/team' },
];

/** The content of a checklist, and the pages that may show it (infra/docs/reference/checklists.md#configuration). */
export const checklistConfigurationSchema = z
  .strictObject({
    name: labelSchema.meta({ example: 'Getting started' }),
    allowedOrigins: z
      .array(originSchema)
      .max(ORIGINS_MAX)
      .refine((origins) => new Set(origins).size === origins.length, 'expected each origin once')
      .describe(ALLOWED_ORIGINS),
    steps: z
      .array(stepSchema)
      .min(1)
      .max(STEPS_MAX)
      .check(
        eachOnce(
          ({ key }) => key,
          (first) => `a key other than steps[${first}] has`,
          ['key'],
        ),
      )
      .meta({
        description: 'The milestones, in the order in which pages show them.',
        example: EXAMPLE_STEPS,
      }),
  })
  .meta({ id: 'ChecklistConfiguration', description: CONFIGURATION });

/** The configuration as a request brings it. */
export const checklistConfigurationRequestSchema = checklistConfigurationSchema
  .extend({ allowedOrigins: pageOriginsSchema({ max: ORIGINS_MAX }).describe(ALLOWED_ORIGINS) })
  .meta({ id: 'ChecklistConfigurationRequest', description: CONFIGURATION });

export type ChecklistConfiguration = z.infer<typeof checklistConfigurationSchema>;

/** The part of a configuration that pages may show. A field that they may not show is omitted here, and in the next function. */
export const shownConfigurationSchema = checklistConfigurationSchema.omit({ allowedOrigins: true });

/** Returns what {@link shownConfigurationSchema} describes. */
export function shownConfiguration({
  allowedOrigins: _,
  ...shown
}: ChecklistConfiguration): z.infer<typeof shownConfigurationSchema> {
  return shown;
}

function staysOnOrigin(path: string): boolean {
  if (!path.startsWith('/') || path.includes('//') || path.includes('\\') || /\p{Cc}/u.test(path))
    return false;
  return (
    path.isWellFormed() &&
    URL.canParse(path, DUMMY_ORIGIN) &&
    new URL(path, DUMMY_ORIGIN).origin === DUMMY_ORIGIN
  );
}

function descriptionFault(text: string): string | null {
  const isPlain = text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
  return (
    lengthFault(text, { max: DESCRIPTION_CHARACTERS_MAX }) ??
    (isPlain ? null : 'expected no control characters and no line breaks')
  );
}
