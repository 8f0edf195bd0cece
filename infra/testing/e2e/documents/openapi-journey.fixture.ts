/**
 * Every operation, in an order in which its example can be accepted. After a colon is the error that the example gets instead,
 * because of what happened before or is configured.
 */
export const JOURNEY = [
  ...[
    'readProtectedResource',
    'readMcpResource',
    'readCapabilities',
    'readLimiterHealth',
    'setUp',
    'signUp: state_conflict',
    'readSignInOptions',
    'forgotPassword',
    'signIn',
    'readSession',
  ],
  ...['listSessions', 'switchSession', 'listMembers', 'startOidc: not_found', 'finishOidc: unauthorized'],
  ...[
    'createWorkspace',
    'readAgentWorkspace',
    'callMcp',
    'openClaimLink',
    'inspectClaim',
    'readClaimDetails',
    'attachClaim',
    'listWorkspaces',
    'listWorkspaceOverviews',
    'readWorkspaceOverview',
    'searchOrganization',
  ],
  ...['readWorkspace', 'readImportProduct', 'createImportSchema', 'listImportSchemas', 'reserveImport'],
  ...['uploadImportSource', 'mapImport', 'validateImport', 'readImport until ready', 'readImportBinding'],
  ...[
    'listWorkspaceSchemas',
    'readWorkspaceSchema',
    'listSchemaRevisions',
    'listWorkspaceImports',
    'listImports',
    'readWorkspaceImport',
    'readImportProvenance',
    'readImportSource',
    'readImportRows',
    'searchImportRows',
    'readImportErrors',
    'readImportErrorPlaces',
  ],
  ...['downloadImportErrors', 'approveImport', 'createCapability', 'listCapabilities', 'listDeliveries'],
  ...['readDelivery', 'readBatch', 'acknowledgeBatch', 'mapWorkspaceImport'],
  ...['validateWorkspaceImport: state_conflict', 'cancelImport: state_conflict'],
  ...[
    'cancelWorkspaceImport',
    'eraseImport',
    'reserveWorkspaceImport',
    'mintImportSession',
    'readImportSession',
  ],
  ...['reserveSessionImport', 'uploadImportSource', 'readSessionSource', 'mapSessionImport'],
  ...['validateSessionImport', 'readSessionImport until ready', 'readSessionRows', 'readSessionErrors'],
  ...['approveSessionImport: forbidden', 'cancelSessionImport', 'reviseImportSchema', 'revokeCapability'],
  ...['readCheckProduct', 'createCheckOrigin', 'confirmCheckOrigin: state_conflict', 'createAccessProfile'],
  ...['createCheckSuite', 'createCheckRun: state_conflict', 'readCheckRun: not_found'],
  ...['createWorkspaceCheckOrigin', 'confirmWorkspaceCheckOrigin: state_conflict'],
  ...['createWorkspaceCheckSuite', 'createWorkspaceCheckRun: state_conflict'],
  ...['listWorkspaceCheckOrigins', 'listWorkspaceAccessProfiles'],
  ...['listCheckSuites', 'listWorkspaceCheckSuites', 'listWorkspaceCheckRuns'],
  ...['readWorkspaceCheckRun: not_found', 'readCheckScreenshot: not_found'],
  ...[
    'createWidget',
    'loadWidget',
    'submitFeedback',
    'verifySubmission',
    'listWidgets',
    'listInstallationWidgets',
    'listSubmissions',
  ],
  ...['moveSubmission', 'removeSubmission'],
  ...['readActivateProduct', 'createChecklist', 'listChecklists', 'recordEvent', 'recordEvents'],
  ...['issueProgressSession'],
  ...['readProgress', 'readChecklistSummary', 'reviseChecklist', 'listWorkspaceChecklists'],
  ...['readWorkspaceChecklist', 'readWorkspaceChecklistSummary', 'exportChecklist', 'claimWorkspace'],
  ...['pauseWorkspace', 'resumeWorkspace', 'eraseSubject', 'createCredential', 'rotateCredential'],
  ...['revokeCredential', 'createKey', 'listKeys', 'check', 'checkSeveral', 'checkEach', 'readKeyWindow'],
  ...['resetKeyWindow', 'resetWindow', 'listKeyOverviews'],
  ...['readKeyUsage', 'readDeniedWindows', 'changeKey', 'rotateKey', 'revokeKey', 'subscribe'],
  ...[
    'readSubscription',
    'cancelSubscription',
    'receiveBillingEvent',
    'createInvitation',
    'revokeInvitation',
  ],
  ...[
    'createInvitation',
    'inspectInvitation',
    'acceptInvitation',
    'setMemberRole',
    'offerReset',
    'resetPassword',
    'removeMember',
  ],
  ...[
    'readOperationsSummary',
    'listTopics',
    'readOperationsHistory',
    'readActivity',
    'readSwitches',
    'setSwitches',
    'changeSwitches',
    'listDeadLetters',
    'readDeadLetter: not_found',
    'replayDeadLetter: not_found',
    'discardDeadLetter: not_found',
    'offerOperatorReset',
    'listAuditEntries',
    'disconnectWorkspace',
    'eraseWorkspace',
    'endSession',
  ],
  ...[
    'leaveOrganization: state_conflict',
    'erasePerson: state_conflict',
    'changeEmail',
    'changePassword',
    'signOut',
  ],
];

/** One step of the journey. */
export interface Step {
  readonly name: string;
  /** The status that its answer has in the end: the step is repeated until then. */
  readonly until: string | undefined;
  /** The error that it gets. */
  readonly code: string | undefined;
}

/** Reads a step such as `readImport until ready` or `signUp: state_conflict`. */
export function stepOf(text: string): Step {
  const [, name = '', until, code] = /^(\w+)(?: until (\w+))?(?:: (\w+))?$/.exec(text) ?? [];
  return { name, until, code };
}
