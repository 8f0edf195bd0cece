import { z } from 'zod';
import { type Limit, type LimitsSchema, limit } from './base/limit.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './base/time.ts';
import { type AnyProduct, combineProducts, PRODUCTS } from './products.ts';
import type { Plan } from './workspaces/lifecycle.ts';

const KIB = 1_024;

/** The limits that differ between a preview and a claimed workspace (see the pages of infra/docs/reference). */
const PLAN_LIMITS = combineProducts(({ planLimits }) => planLimits);

function planSchema(plan: Plan) {
  const limits = Object.entries(PLAN_LIMITS).map(([name, of]) => [name, of[plan]]);
  return z
    .strictObject(Object.fromEntries(limits) as { readonly [Name in keyof typeof PLAN_LIMITS]: Limit })
    .prefault({});
}

/** The limits of each product that hold for every plan, by their group. */
function productGroups() {
  return Object.fromEntries(PRODUCTS.map(({ limits: { group, schema } }) => [group, schema])) as {
    readonly [Each in AnyProduct as Each['limits']['group']]: Each['limits']['schema'];
  };
}

const GROUPS = {
  workspace: z.strictObject({
    previewMs: limit('lifetime of a preview', 72 * HOUR_MS),
    createdPerAddressHour: limit('workspaces created from one address in an hour', 10),
    createdPerAddressDay: limit('workspaces created from one address in a day', 100),
    claimLinkMs: limit('lifetime of a claim link', HOUR_MS),
    confirmAttempts: limit('wrong confirm codes for one claim link; the last one ends the link', 5),
    claimedPerOrganization: limit('claimed workspaces of one organization', 10),
    extraCredentials: limit('named credentials of a workspace, besides the first one', 5, { least: 0 }),
    rotationOverlapHoursMax: limit('overlap of a credential rotation, in hours', 72, { least: 0 }),
    lastUseMs: limit('precision of `lastUsedAt` and `lastSeenAt`', HOUR_MS),
  }),
  ...productGroups(),
  console: z.strictObject({
    sessionMs: limit('lifetime of a console session', 12 * HOUR_MS),
    sessionsPerPerson: limit('console sessions of one person; a further one ends the oldest', 20),
    /** From 15 minutes on the counts survive a restart. */
    signInWindowMs: limit('window of wrong passwords', 15 * MINUTE_MS),
    signInsPerAccountAndAddress: limit('wrong passwords in a window, by account and address', 10),
    signInsPerAddress: limit('wrong passwords in a window, by address', 30),
    signInsPerAccount: limit('wrong passwords in a window, by account', 100),
    signUpsPerAddressDay: limit('sign-ups from one address in a day', 20),
    invitationsOpen: limit('open invitations of one organization', 50),
    invitationMs: limit('lifetime of an invitation', 7 * DAY_MS),
    resetLinkMs: limit('lifetime of a password reset link', HOUR_MS),
    forgottenPerAccountHour: limit(
      'mails with a reset link that are requested for one account in an hour',
      5,
    ),
    forgottenPerAddressHour: limit('such requests from one address in an hour', 20),
    invitationMailsPerPersonHour: limit('invitations that one person has mailed in an hour', 20),
    invitationMailsPerOrganizationDay: limit('invitations that one organization has mailed in a day', 100),
    invitationMailsPerAddressDay: limit('invitations that are mailed to one address in a day', 3),
    membersPerOrganization: limit('members of one organization', 200),
    organizationsPerPerson: limit('organizations of one person', 50),
  }),
  limiter: z.strictObject({
    testPerMinute: limit('calls of one test key in a minute', 50),
    testPerMonth: limit('calls of one test key in a calendar month (UTC)', 1_000),
    livePerMinute: limit('calls of one live key in a minute', 1_000),
    liveFreePerMonth: limit("free calls of an organization's live keys in a calendar month (UTC)", 100_000, {
      least: 0,
    }),
    keysPerMode: limit('active keys of one organization and mode', 20),
    windows: limit('unexpired windows of one organization', 250_000),
  }),
  http: z.strictObject({
    managementPerMinute: limit('management requests of one caller in a minute', 120),
    unauthorizedPerMinute: limit(
      'requests with a missing or invalid credential from one address in a minute',
      30,
    ),
    deliveryPerMinute: limit('delivery and event requests of one caller in a minute', 6_000),
    visitorPerMinute: limit('submissions from one address to one feedback widget in a minute', 5),
    uploadsPerMinute: limit('uploads to one installation in a minute', 60),
    jsonBytes: limit('JSON body', 64 * KIB),
    configurationBytes: limit('JSON body of an import configuration, a mapping or several events', 256 * KIB),
  }),
};

/** The limits that hold for every plan, by group. */
export const LIMIT_GROUPS: Readonly<Record<string, LimitsSchema>> = GROUPS;

type Groups = typeof GROUPS;

function optionalGroups() {
  const optional = Object.entries(LIMIT_GROUPS).map(([name, schema]) => [name, schema.prefault({})]);
  return Object.fromEntries(optional) as { readonly [Name in keyof Groups]: z.ZodPrefault<Groups[Name]> };
}

/** Every numeric limit that an operator may change. The capabilities show the effective values. */
const limitsSchema = z.strictObject({
  plans: z.strictObject({ preview: planSchema('preview'), free: planSchema('free') }).prefault({}),
  ...optionalGroups(),
});

export type Limits = z.infer<typeof limitsSchema>;

/**
 * Parses the JSON of `SVC_LIMITS_FILE`, which may have any part of the limits and nothing else. The other limits keep
 * their defaults.
 *
 * @throws {z.ZodError} naming the member that is unknown or has a forbidden value
 */
export function mergeLimits(overrides: unknown): Limits {
  return limitsSchema.parse(overrides);
}

export const DEFAULT_LIMITS: Limits = mergeLimits({});

/**
 * A limit that holds for every plan.
 *
 * @param name as `SVC_LIMITS_FILE` nests it: `imports.partitions`
 * @throws {Error} for a limit that there is not.
 */
export function limitNamed(limits: Limits, name: string): number {
  const [group = '', member = ''] = name.split('.');
  const groups: Readonly<Record<string, Readonly<Record<string, unknown>>>> = limits;
  const value = groups[group]?.[member];
  if (typeof value !== 'number') throw new Error(`reading the unknown limit ${name}`);
  return value;
}
