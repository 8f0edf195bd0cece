import { productRoutes } from '../../service/gateway.ts';

/** Sends requests whose answers the tests drop. `program`: a program that repeats the request by itself. */
export type Sender = 'client' | 'tool' | 'program';

/** Routes that read by a body, which keeps what they look for out of addresses. */
const READS = ['inspectClaim', 'readClaimDetails', 'inspectInvitation', 'searchImportRows', 'readKeyWindow'];

/** The routes that change something, each with those of ours that send it. */
export const SENT_BY: Readonly<Record<string, readonly Sender[]>> = {
  callMcp: ['tool', 'program'],
  createWorkspace: ['tool', 'program'],
  openClaimLink: ['tool', 'program'],
  createImportSchema: ['tool', 'program'],
  reviseImportSchema: ['tool', 'program'],
  reserveImport: ['tool', 'program'],
  uploadImportSource: ['tool', 'program'],
  mapImport: ['tool', 'program'],
  validateImport: ['tool', 'program'],
  cancelImport: ['tool', 'program'],
  createChecklist: ['tool', 'program'],
  reviseChecklist: ['tool', 'program'],
  recordEvent: ['tool', 'client', 'program'],
  recordEvents: ['client', 'program'],
  createCheckOrigin: ['tool', 'program'],
  confirmCheckOrigin: ['tool', 'program'],
  createCheckSuite: ['tool', 'program'],
  createCheckRun: ['tool', 'program'],
  createAccessProfile: ['program'],
  createWidget: ['tool', 'program'],
  verifySubmission: ['tool', 'program'],
  issueProgressSession: ['client', 'program'],
  mintImportSession: ['client', 'program'],
  acknowledgeBatch: ['client', 'program'],
  check: ['client', 'program'],
  checkSeveral: ['client', 'program'],
  checkEach: ['client', 'program'],
  resetWindow: ['client', 'program'],
  submitFeedback: ['program'],
  reserveSessionImport: ['program'],
  mapSessionImport: ['program'],
  validateSessionImport: ['program'],
  approveSessionImport: ['program'],
  cancelSessionImport: ['program'],
  receiveBillingEvent: ['program'],
  setSwitches: ['program'],
  signOut: ['program'],
  ...Object.fromEntries(
    [
      ...['attachClaim', 'claimWorkspace', 'pauseWorkspace', 'resumeWorkspace', 'disconnectWorkspace'],
      ...['eraseWorkspace', 'createCredential', 'rotateCredential', 'revokeCredential'],
      ...['setUp', 'signUp', 'signIn', 'switchSession', 'endSession', 'changePassword', 'changeEmail'],
      ...[
        'leaveOrganization',
        'erasePerson',
        'resetPassword',
        'forgotPassword',
        'setMemberRole',
        'removeMember',
      ],
      ...['offerReset', 'offerOperatorReset', 'createInvitation', 'revokeInvitation', 'acceptInvitation'],
      ...['createCapability', 'revokeCapability', 'reserveWorkspaceImport', 'mapWorkspaceImport'],
      ...['validateWorkspaceImport', 'approveImport', 'cancelWorkspaceImport', 'eraseImport'],
      ...['eraseSubject', 'createWorkspaceCheckOrigin', 'confirmWorkspaceCheckOrigin'],
      ...['createWorkspaceCheckSuite', 'createWorkspaceCheckRun', 'moveSubmission', 'removeSubmission'],
      ...['createKey', 'changeKey', 'rotateKey', 'revokeKey', 'resetKeyWindow', 'subscribe'],
      ...['cancelSubscription', 'changeSwitches', 'replayDeadLetter', 'discardDeadLetter'],
    ].map((name) => [name, ['program'] as const]),
  ),
};

const routes = productRoutes().filter(({ method, name }) => method !== 'GET' && !READS.includes(name));
const patterns = routes.map(({ method, name, path }) => ({
  method,
  name,
  pattern: new RegExp(`^${path.replace(/:[A-Za-z]+/g, '[^/]+')}$`),
}));

/** The names of all routes that change something. */
export const CHANGING: readonly string[] = routes.map(({ name }) => name);

/** Returns the name of the route that a request changes something by, or null. */
export function changingRoute(method: string, target: string): string | null {
  const { pathname } = new URL(target, 'http://any');
  return patterns.find((each) => each.method === method && each.pattern.test(pathname))?.name ?? null;
}

/** The routes that one of ours sends. */
export function sentBy(sender: Sender): readonly string[] {
  return Object.keys(SENT_BY).filter((name) => SENT_BY[name]?.includes(sender));
}
