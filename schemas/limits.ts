import { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './base/time.ts';
import type { Plan } from './workspaces/lifecycle.ts';

const count = z.int().nonnegative();
const positive = z.int().positive();

/** What differs between a preview and a claimed workspace (see the pages of infra/docs/reference). */
const planLimitsSchema = z.strictObject({
  importSchemas: count,
  /** Lifetime in a preview; a UTC month on Free. */
  imports: count,
  importFileBytes: positive,
  importRows: positive,
  checklists: count,
  checklistEnrollments: count,
  /** Accepted milestone events: lifetime in a preview; a UTC month on Free. */
  checklistEvents: count,
});

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
    /** How much later a use has to be to count as the last one again. */
    lastUseMs: positive,
  }),
  imports: z.strictObject({
    validationsPerImport: positive,
    artifactBytes: positive,
    partitions: positive,
    /** Upload tokens of an import, and uploads that may write bytes. */
    uploadAttempts: positive,
    uploadTokenMs: positive,
    /** How long the bytes of one upload may take. */
    uploadMs: positive,
    /** What has to arrive of an upload over any minute, on average. */
    uploadBytesPerSecond: positive,
    retentionMs: positive,
    validationLeaseMs: positive,
    rowErrorsKept: positive,
    /** Revisions of one schema. */
    schemaRevisions: positive,
    capabilitiesPerSchema: positive,
    capabilityDaysMax: positive,
    sessionsPerSchema: positive,
    sessionMs: positive,
  }),
  checklists: z.strictObject({
    revisions: positive,
    /** Sessions of one subject that have not ended; a further one ends the oldest. */
    sessionsPerSubject: positive,
    sessionMs: positive,
    /** Keys that are remembered for a completed milestone besides the one that completed it. */
    alternateKeys: count,
  }),
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
const MIB = 1_024 * KIB;

export const DEFAULT_LIMITS: Limits = {
  plans: {
    preview: {
      importSchemas: 2,
      imports: 3,
      importFileBytes: 1 * MIB,
      importRows: 1_000,
      checklists: 2,
      checklistEnrollments: 25,
      checklistEvents: 200,
    },
    free: {
      importSchemas: 5,
      imports: 10,
      importFileBytes: 5 * MIB,
      importRows: 10_000,
      checklists: 5,
      checklistEnrollments: 1_000,
      checklistEvents: 2_000,
    },
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
  imports: {
    validationsPerImport: 5,
    artifactBytes: 16 * MIB,
    partitions: 256,
    uploadAttempts: 5,
    uploadTokenMs: 15 * MINUTE_MS,
    uploadMs: 15 * MINUTE_MS,
    uploadBytesPerSecond: 2 * KIB,
    retentionMs: 7 * DAY_MS,
    validationLeaseMs: 10 * MINUTE_MS,
    rowErrorsKept: 1_000,
    schemaRevisions: 1_000,
    capabilitiesPerSchema: 5,
    capabilityDaysMax: 30,
    sessionsPerSchema: 20,
    sessionMs: 30 * MINUTE_MS,
  },
  checklists: {
    revisions: 20,
    sessionsPerSubject: 5,
    sessionMs: 15 * MINUTE_MS,
    alternateKeys: 10,
  },
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

/** An override file: any part of the table, nothing that is not in it. */
const overridesSchema = z.strictObject({
  plans: z
    .strictObject({ preview: planLimitsSchema.partial(), free: planLimitsSchema.partial() })
    .partial()
    .optional(),
  workspace: limitsSchema.shape.workspace.partial().optional(),
  imports: limitsSchema.shape.imports.partial().optional(),
  checklists: limitsSchema.shape.checklists.partial().optional(),
  console: limitsSchema.shape.console.partial().optional(),
  limiter: limitsSchema.shape.limiter.partial().optional(),
  http: limitsSchema.shape.http.partial().optional(),
});

/**
 * Merges an override (the parsed JSON of `SVC_LIMITS_FILE`) over the defaults.
 *
 * @throws {z.ZodError} naming the member that is unknown or has a value that is not allowed.
 */
export function mergeLimits(overrides: unknown): Limits {
  const parsed = overridesSchema.parse(overrides);
  return limitsSchema.parse({
    plans: {
      preview: { ...DEFAULT_LIMITS.plans.preview, ...parsed.plans?.preview },
      free: { ...DEFAULT_LIMITS.plans.free, ...parsed.plans?.free },
    },
    workspace: { ...DEFAULT_LIMITS.workspace, ...parsed.workspace },
    imports: { ...DEFAULT_LIMITS.imports, ...parsed.imports },
    checklists: { ...DEFAULT_LIMITS.checklists, ...parsed.checklists },
    console: { ...DEFAULT_LIMITS.console, ...parsed.console },
    limiter: { ...DEFAULT_LIMITS.limiter, ...parsed.limiter },
    http: { ...DEFAULT_LIMITS.http, ...parsed.http },
  });
}
