import { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './base/time.ts';
import { type AnyProduct, combineProducts, PRODUCTS } from './products.ts';
import type { Plan } from './workspaces/lifecycle.ts';

const count = z.int().nonnegative();
const positive = z.int().positive();

/** The limits that differ between a preview and a claimed workspace (see the pages of infra/docs/reference). */
const planLimitsSchema = z.strictObject(combineProducts(({ planLimits }) => planLimits.schema.shape));

type LimitGroups<Member extends 'schema' | 'defaults'> = {
  readonly [Each in AnyProduct as Each['limits']['group']]: Each['limits'][Member];
};

/** The limits of each product that hold for every plan, by their group. */
function limitGroups<Member extends 'schema' | 'defaults'>(member: Member) {
  const groups = PRODUCTS.map(({ limits }) => [limits.group, limits[member]]);
  return Object.fromEntries(groups) as LimitGroups<Member>;
}

/**
 * Every numeric limit that an operator may change. `SVC_LIMITS_FILE` is merged over the defaults, and the effective values
 * appear in the capabilities.
 */
export const limitsSchema = z.strictObject({
  plans: z.strictObject({ preview: planLimitsSchema, free: planLimitsSchema }),
  workspace: z.strictObject({
    previewMs: positive,
    claimLinkMs: positive,
    confirmAttempts: positive,
    createdPerAddressHour: positive,
    createdPerAddressDay: positive,
    /** Claimed workspaces an organization. */
    claimedPerOrganization: positive,
    /** Named credentials besides the one that a workspace was created with. */
    extraCredentials: count,
    rotationOverlapHoursMax: count,
    /** The minimum time between two recorded uses. */
    lastUseMs: positive,
  }),
  ...limitGroups('schema'),
  console: z.strictObject({
    sessionMs: positive,
    sessionsPerPerson: positive,
    /** Wrong passwords in a window: for one account from one address, from one address, and for one account. */
    signInsPerAccountAndAddress: positive,
    signInsPerAddress: positive,
    signInsPerAccount: positive,
    /** The window of these counts in milliseconds. From 15 minutes on the counts survive a restart. */
    signInWindowMs: positive,
    signUpsPerAddressDay: positive,
    invitationsOpen: positive,
    invitationMs: positive,
    membersPerOrganization: positive,
    organizationsPerPerson: positive,
    resetLinkMs: positive,
  }),
  limiter: z.strictObject({
    /** Calls of one key. */
    testPerMinute: positive,
    testPerMonth: positive,
    livePerMinute: positive,
    /** Calls of an organization's live keys in a UTC month that cost nothing. */
    liveFreePerMonth: count,
    /** Active keys of one organization and mode. */
    keysPerMode: positive,
    /** Windows of one organization that have not ended. */
    windows: positive,
  }),
  http: z.strictObject({
    jsonBytes: positive,
    configurationBytes: positive,
    managementPerMinute: positive,
    deliveryPerMinute: positive,
    /** Uploads to one installation. */
    uploadsPerMinute: positive,
    unauthorizedPerMinute: positive,
  }),
});

export type Limits = z.infer<typeof limitsSchema>;

const KIB = 1_024;

export const DEFAULT_LIMITS: Limits = {
  plans: {
    preview: combineProducts(({ planLimits: { defaults } }) => defaults.preview),
    free: combineProducts(({ planLimits: { defaults } }) => defaults.free),
  },
  workspace: {
    previewMs: 72 * HOUR_MS,
    claimLinkMs: HOUR_MS,
    confirmAttempts: 5,
    createdPerAddressHour: 10,
    createdPerAddressDay: 100,
    claimedPerOrganization: 10,
    extraCredentials: 5,
    rotationOverlapHoursMax: 72,
    lastUseMs: HOUR_MS,
  },
  ...limitGroups('defaults'),
  console: {
    sessionMs: 12 * HOUR_MS,
    sessionsPerPerson: 20,
    signInsPerAccountAndAddress: 10,
    signInsPerAddress: 30,
    signInsPerAccount: 100,
    signInWindowMs: 15 * MINUTE_MS,
    signUpsPerAddressDay: 20,
    invitationsOpen: 50,
    invitationMs: 7 * DAY_MS,
    membersPerOrganization: 200,
    organizationsPerPerson: 50,
    resetLinkMs: HOUR_MS,
  },
  limiter: {
    testPerMinute: 50,
    testPerMonth: 1_000,
    livePerMinute: 1_000,
    liveFreePerMonth: 100_000,
    keysPerMode: 20,
    windows: 250_000,
  },
  http: {
    jsonBytes: 64 * KIB,
    configurationBytes: 256 * KIB,
    managementPerMinute: 120,
    deliveryPerMinute: 6_000,
    uploadsPerMinute: 60,
    unauthorizedPerMinute: 30,
  },
};

/** The limits of one plan. */
export function planLimits(limits: Limits, plan: Plan): Limits['plans']['preview'] {
  return limits.plans[plan];
}

/**
 * A limit that holds for every plan.
 *
 * @param name as `SVC_LIMITS_FILE` nests it: `imports.partitions`
 * @throws {Error} for a limit that there is not.
 */
export function limitNamed(limits: Limits, name: string): number {
  const [group = '', limit = ''] = name.split('.');
  const groups: Readonly<Record<string, Readonly<Record<string, unknown>>>> = limits;
  const value = groups[group]?.[limit];
  if (typeof value !== 'number') throw new Error(`reading the unknown limit ${name}`);
  return value;
}

const { plans: _plans, ...GROUPS } = limitsSchema.shape;

/** An override file: any part of the table, nothing that is not in it. */
const overridesSchema = z.strictObject({
  plans: z
    .strictObject({ preview: planLimitsSchema.partial(), free: planLimitsSchema.partial() })
    .partial()
    .optional(),
  ...Object.fromEntries(
    Object.entries(GROUPS).map(([group, schema]) => [group, schema.partial().optional()]),
  ),
});

type Groups = Readonly<Record<string, Readonly<Record<string, number>>>>;
type Overrides = Readonly<Record<string, Readonly<Record<string, number | undefined>> | undefined>>;

/**
 * Merges an override (the parsed JSON of `SVC_LIMITS_FILE`) over the defaults.
 *
 * @throws {z.ZodError} naming the member that is unknown or has a value that is not allowed.
 */
export function mergeLimits(overrides: unknown): Limits {
  const { plans, ...groups } = overridesSchema.parse(overrides);
  const { plans: defaultPlans, ...defaultGroups } = DEFAULT_LIMITS;
  return limitsSchema.parse({
    plans: overlay(defaultPlans, plans),
    ...overlay(defaultGroups, groups as Overrides),
  });
}

function overlay(defaults: Groups, given: Overrides = {}): Overrides {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, values]) => [name, { ...values, ...given[name] }]),
  );
}
