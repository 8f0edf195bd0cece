import type { Limits } from '../../../schemas/limits.ts';

type Group = Exclude<keyof Limits, 'plans'>;

/** A limit that holds for every plan, as `SVC_LIMITS_FILE` nests it: `imports.partitions`. */
export type LimitName = { [Name in Group]: `${Name}.${keyof Limits[Name] & string}` }[Group];

/** A limit that differs between the plans. */
export type PlanLimitName = keyof Limits['plans']['preview'];

/** The subject of each limit, for the reference. A limit without a text does not compile. */
export const LIMIT_TEXTS: Readonly<Record<LimitName, string>> = {
  'workspace.previewMs': 'lifetime of a preview',
  'workspace.claimLinkMs': 'lifetime of a claim link',
  'workspace.confirmAttempts': 'wrong confirm codes for one claim link; the last one ends the link',
  'workspace.createdPerAddressHour': 'workspaces created from one address in an hour',
  'workspace.createdPerAddressDay': 'workspaces created from one address in a day',
  'workspace.claimedPerOrganization': 'claimed workspaces of one organization',
  'workspace.extraCredentials': 'named credentials of a workspace, besides the first one',
  'workspace.rotationOverlapHoursMax': 'overlap of a credential rotation, in hours',
  'workspace.lastUseMs': 'precision of `lastUsedAt` and `lastSeenAt`',
  'imports.validationsPerImport': 'validations of one import',
  'imports.artifactBytes': 'bytes that all validations of one import may write',
  'imports.partitions': 'partitions, and so batches, of one validation',
  'imports.uploadAttempts': 'upload tokens of one import, and uploads that sent bytes',
  'imports.uploadTokenMs': 'lifetime of an upload token',
  'imports.uploadMs': 'duration of one upload',
  'imports.uploadBytesPerSecond': 'minimum rate of an upload per second, over any minute',
  'imports.retentionMs': 'retention of the file and of everything made from it',
  'imports.validationLeaseMs': 'pause without progress after which a validation can be replaced',
  'imports.rowErrorsKept': 'row errors of one validation that are kept in full',
  'imports.schemaRevisions': 'revisions of one schema',
  'imports.capabilitiesPerSchema': 'active capabilities of one schema',
  'imports.capabilityDaysMax': 'lifetime of a capability, in days',
  'imports.sessionsPerSchema': 'active browser sessions of one schema',
  'imports.sessionMs': 'lifetime of a browser session',
  'checklists.revisions': 'revisions of one checklist',
  'checklists.sessionsPerSubject': 'unexpired sessions of one subject; a further one ends the oldest',
  'checklists.sessionMs': 'lifetime of a progress token',
  'checklists.alternateKeys': 'remembered keys of a completed step, besides the one that completed it',
  'console.sessionMs': 'lifetime of a console session',
  'console.sessionsPerPerson': 'console sessions of one person; a further one ends the oldest',
  'console.signInsPerAccountAndAddress': 'wrong passwords in a window, by account and address',
  'console.signInsPerAddress': 'wrong passwords in a window, by address',
  'console.signInsPerAccount': 'wrong passwords in a window, by account',
  'console.signInWindowMs': 'window of wrong passwords',
  'console.signUpsPerAddressDay': 'sign-ups from one address in a day',
  'console.invitationsOpen': 'open invitations of one organization',
  'console.invitationMs': 'lifetime of an invitation',
  'console.membersPerOrganization': 'members of one organization',
  'console.organizationsPerPerson': 'organizations of one person',
  'console.resetLinkMs': 'lifetime of a password reset link',
  'limiter.testPerMinute': 'calls of one test key in a minute',
  'limiter.testPerMonth': 'calls of one test key in a calendar month (UTC)',
  'limiter.livePerMinute': 'calls of one live key in a minute',
  'limiter.liveFreePerMonth': "free calls of an organization's live keys in a calendar month (UTC)",
  'limiter.keysPerMode': 'active keys of one organization and mode',
  'limiter.windows': 'unexpired windows of one organization',
  'http.jsonBytes': 'JSON body',
  'http.configurationBytes': 'JSON body of an import configuration or mapping',
  'http.managementPerMinute': 'management requests of one caller in a minute',
  'http.deliveryPerMinute': 'delivery and event requests of one caller in a minute',
  'http.uploadsPerMinute': 'uploads to one installation in a minute',
  'http.unauthorizedPerMinute': 'requests with a missing or invalid credential from one address in a minute',
};

/** The subject of each limit of a plan. */
export const PLAN_LIMIT_TEXTS: Readonly<Record<PlanLimitName, string>> = {
  importSchemas: 'import schemas ever',
  imports: 'imports; on Free in a calendar month (UTC)',
  importFileBytes: 'size of a file',
  importRows: 'data rows of a file, valid and invalid',
  checklists: 'checklists ever',
  checklistEnrollments: 'enrollments ever',
  checklistEvents: 'accepted events; on Free in a calendar month (UTC)',
};

export function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(LIMIT_TEXTS, name);
}

export function isPlanLimitName(name: string): name is PlanLimitName {
  return Object.hasOwn(PLAN_LIMIT_TEXTS, name);
}
