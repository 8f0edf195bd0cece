import { z } from 'zod';
import { nameSchema } from '../base/name.ts';
import { loopbackPort, pageOriginSchema } from '../base/origin.ts';
import { ofLength, textSchema } from '../base/text.ts';
import { eachOnce } from '../base/unique.ts';
import { wireForms } from '../base/wire.ts';

/** Steps of one flow. */
const FLOW_STEPS_MAX = 20;
/** Flows of one suite, whatever the plan. A plan allows fewer. */
const FLOWS_MAX = 20;
/** The shortest time that a flow can ask for, in milliseconds. */
const FLOW_TIMEOUT_LEAST = 1_000;
const ADDRESS_CHARACTERS_MAX = 2_048;
const EXPECTED_CHARACTERS_MAX = 200;
const HOSTS_MAX = 20;
const HEADING_LEVELS = 6;
const STATUS_LEAST = 200;
const STATUS_MOST = 599;

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const LAST_LABEL = '(?:[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)';
const HOST_NAME = `(?:${LABEL}\\.)+${LAST_LABEL}`;
const VISIBLE_ASCII = '[!-~]';

/**
 * An origin that can be proved: HTTPS at port 443 of a host name. A loopback origin has the same type, and the gateway checks it
 * against the configuration.
 */
export const checkedOriginSchema = pageOriginSchema
  .refine(
    (origin) => new RegExp(`^https://${HOST_NAME}$`).test(origin) || loopbackPort(origin) !== null,
    'expected an HTTPS origin with a host name and without a port, such as https://app.example.com',
  )
  .register(wireForms, { adds: { pattern: `^https://${HOST_NAME}$`, maxLength: 200 } });

/** The address of a page. The fold checks that it is on the origin. */
const addressSchema = z
  .string()
  .check(ofLength({ min: 1, max: ADDRESS_CHARACTERS_MAX }))
  .refine(isPageAddress, 'expected the address of a page, such as https://app.example.com/sign-up')
  .meta({
    description: 'The address of a page of the origin.',
    maxLength: ADDRESS_CHARACTERS_MAX,
    example: 'https://app.example.com/sign-up',
  })
  .register(wireForms, { adds: { pattern: `^https://${HOST_NAME}/${VISIBLE_ASCII}*$` } });

const expectedTextSchema = textSchema({ min: 1, max: EXPECTED_CHARACTERS_MAX });

const gotoStepSchema = z.strictObject({ action: z.literal('goto'), url: addressSchema }).meta({
  id: 'GotoStep',
  description:
    'Opens a page. A status other than 2xx or 304 fails, unless `expect_status` follows before the next `goto`.',
});

const headingStepSchema = z
  .strictObject({
    action: z.literal('expect_heading'),
    text: expectedTextSchema.meta({
      description: 'The whole text of the heading as a person sees it, without labels and texts of pictures.',
      example: 'Create your account',
    }),
    level: z
      .int()
      .min(1)
      .max(HEADING_LEVELS)
      .optional()
      .meta({ description: 'The level of the heading; absent: any.', example: 1 }),
  })
  .meta({ id: 'ExpectHeadingStep', description: 'Waits for a visible heading.' });

const titleStepSchema = z
  .strictObject({
    action: z.literal('expect_title'),
    text: expectedTextSchema.meta({ description: 'The whole title.', example: 'Sign up' }),
  })
  .meta({ id: 'ExpectTitleStep', description: 'Waits for a title of the page.' });

const textStepSchema = z
  .strictObject({
    action: z.literal('expect_text'),
    text: expectedTextSchema.meta({
      description: 'A part of a text, in upper or lower case.',
      example: 'Free for 72 hours',
    }),
  })
  .meta({ id: 'ExpectTextStep', description: 'Waits for a visible text, or the value of a field.' });

const statusStepSchema = z
  .strictObject({
    action: z.literal('expect_status'),
    status: z.int().min(STATUS_LEAST).max(STATUS_MOST).meta({ example: 200 }),
  })
  .meta({
    id: 'ExpectStatusStep',
    description: 'Compares the status of the page that is shown, wherever `goto` has led.',
  });

/** A step of a flow. No step types, clicks or submits a form. */
export const flowStepSchema = z.discriminatedUnion('action', [
  gotoStepSchema,
  headingStepSchema,
  titleStepSchema,
  textStepSchema,
  statusStepSchema,
]);

export type FlowStep = z.infer<typeof flowStepSchema>;

const flowSchema = z
  .strictObject({
    name: nameSchema.meta({ example: 'Sign up' }),
    steps: z
      .array(flowStepSchema)
      .min(1)
      .max(FLOW_STEPS_MAX)
      .meta({
        description: 'The steps. The first one is `goto`.',
        example: [
          { action: 'goto', url: 'https://app.example.com/sign-up' },
          { action: 'expect_heading', text: 'Create your account', level: 1 },
        ],
      }),
    timeoutMs: z
      .int()
      .min(FLOW_TIMEOUT_LEAST)
      .meta({ description: 'The time for all steps, in milliseconds.', example: 20_000 }),
  })
  .meta({ id: 'CheckFlow', description: 'Steps that a browser takes one after the other.' });

export type Flow = z.infer<typeof flowSchema>;

export const suiteConfigurationSchema = z.strictObject({
  name: nameSchema.meta({ example: 'Smoke' }),
  flows: z
    .array(flowSchema)
    .min(1)
    .max(FLOWS_MAX)
    .check(
      eachOnce(
        ({ name }) => name,
        (first) => `a name other than flows[${first}] has`,
        ['name'],
      ),
    )
    .describe('The flows, one after the other.'),
});

const deviceSchema = z.enum(['desktop', 'mobile']);

/** BCP 47, as browsers take it. */
const localeSchema = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/, 'expected a language tag such as en-US');

/** The names of the IANA time zone database. */
const timezoneSchema = z.enum(
  ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')],
  {
    error: 'expected a time zone such as Europe/Berlin',
  },
);

const hostSchema = z
  .string()
  .max(253)
  .regex(new RegExp(`^${HOST_NAME}$`), 'expected a host name such as cdn.example.com');

/** The way in which a run looks at pages. */
export const profileConfigurationSchema = z.strictObject({
  name: nameSchema.meta({ example: 'Phone in Germany' }),
  device: deviceSchema.meta({
    description: '`desktop`: 1280 by 720 pixels; `mobile`: 390 by 844 with touch.',
    example: 'mobile',
  }),
  locale: localeSchema.optional().meta({ description: 'The language of the browser.', example: 'de-DE' }),
  timezone: timezoneSchema
    .optional()
    .meta({ description: 'The time zone of the browser.', example: 'Europe/Berlin' }),
  allowedHosts: z
    .array(hostSchema)
    .max(HOSTS_MAX)
    .check(
      eachOnce(
        (host) => host,
        (first) => `a host other than [${first}]`,
      ),
    )
    .register(wireForms, { adds: { uniqueItems: true } })
    .optional()
    .meta({
      description:
        'The only hosts that pages may load parts from, besides the origin; absent: every public host.',
      example: ['cdn.example.com'],
    }),
});

export type ProfileConfiguration = z.infer<typeof profileConfigurationSchema>;

/** The profile of a suite that names none. */
export const DEFAULT_PROFILE: ProfileConfiguration = { name: 'Desktop', device: 'desktop' };

function isPageAddress(text: string): boolean {
  if (!URL.canParse(text) || !new RegExp(`^${VISIBLE_ASCII}+$`).test(text)) return false;
  const { protocol, username, password, origin } = new URL(text);
  const isPage = protocol === 'https:' || loopbackPort(origin) !== null;
  return isPage && username === '' && password === '';
}
