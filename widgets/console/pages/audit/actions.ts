/** Actions of the log in words, with the verb that the button or request has. Others are read from their names. */
const WORDS: Readonly<Record<string, string>> = {
  'people.create': 'Create account',
  'people.enroll': 'Create account by single sign-on',
  'people.join': 'Accept invitation',
  'people.session-start': 'Sign in',
  'people.session-end': 'Sign out',
  'people.session-switch': 'Switch organization',
  'people.sign-in-refused': 'Sign-in refused',
  'people.offer-reset': 'Make reset link',
  'people.reset-password': 'Use reset link',
  'people.change-password': 'Change password',
  'people.change-email': 'Change e-mail',
  'organizations.invite': 'Create invitation',
  'organizations.revoke-invitation': 'Revoke invitation',
  'organizations.set-role': 'Change role',
  'organizations.remove-member': 'Remove member',
  'organizations.erase-member': 'Erase own account',
  'organizations.create-key': 'Create key',
  'organizations.change-key': 'Change key',
  'organizations.rotate-key': 'Rotate key',
  'organizations.revoke-key': 'Revoke key',
  'organizations.end-window': 'Reset window',
  'organizations.subscribe': 'Subscribe',
  'organizations.cancel-subscription': 'Cancel subscription',
  'operations.export': 'Export workspace',
  'operations.read-aggregate': 'Read private data on the machine',
  'organizations.set-switches': 'Set switches',
  'dead-letters.replay': 'Send dead letter again',
  'dead-letters.discard': 'Discard dead letter',
  'workspaces.attach': 'Attach workspace',
  'workspaces.claim': 'Claim workspace',
  'workspaces.erase': 'Erase workspace',
  'workspaces.pause': 'Pause workspace',
  'workspaces.resume': 'Resume workspace',
  'workspaces.disconnect': 'Disconnect workspace',
  'workspaces.expire': 'End preview',
  'workspaces.create-credential': 'Create credential',
  'workspaces.rotate-credential': 'Rotate credential',
  'workspaces.revoke-credential': 'Revoke credential',
  'workspaces.inspect-claim': 'View claim link',
  'imports.reserve-import': 'Reserve import',
  'imports.map-import': 'Map import',
  'imports.validate-import': 'Validate import',
  'imports.approve-import': 'Approve import',
  'imports.cancel-import': 'Cancel import',
  'imports.erase-import': 'Erase import',
  'imports.read-rows': 'Read rows',
  'imports.read-errors': 'Read row errors',
  'imports.download-errors': 'Download rejected rows',
  'imports.create-capability': 'Create capability',
  'imports.revoke-capability': 'Revoke capability',
  'activate.erase-subject': 'Erase subject',
  'activate.export-checklist': 'Export checklist',
  'checks.create-origin': 'Add origin',
  'checks.confirm-origin': 'Confirm origin',
  'checks.create-suite': 'Create suite',
  'checks.request-run': 'Run suite',
  'checks.read-screenshot': 'View screenshot',
  'feedback.read': 'Read feedback',
  'feedback.move-submission': 'Move feedback',
  'feedback.remove-submission': 'Erase submission',
  'audit.export': 'Export audit log',
};

/** The actions to filter by, in the order of their words. */
export const KNOWN_ACTIONS: readonly string[] = Object.keys(WORDS).sort((one, other) =>
  actionWords(one).localeCompare(actionWords(other), 'en'),
);

/** A move of feedback by its old and its new place. */
function moveWords(detail: Detail): string | null {
  if (detail['to'] === 'done') return 'Mark feedback as done';
  if (detail['to'] === 'held') return 'Hold feedback';
  if (detail['to'] !== 'open') return null;
  return detail['from'] === 'held' ? 'Release feedback' : 'Reopen feedback';
}

type Detail = Readonly<Record<string, unknown>>;

const SWITCHES: Readonly<Record<string, string>> = {
  creation: 'workspace creation',
  feedback: 'feedback submissions',
  runs: 'check runs',
};

/** The change of one switch. Earlier entries do not say which one it was. */
function switchWords({ changed, ...detail }: Detail): string | null {
  const words = SWITCHES[String(changed)];
  return words === undefined ? null : `Switch ${detail[String(changed)] === true ? 'on' : 'off'} ${words}`;
}

/** The change of a key. An entry of a change of both, or of before this was recorded, says that it was changed. */
function keyWords({ changed }: Detail): string | null {
  if (changed === 'name') return 'Rename key';
  return changed === 'expiry' ? 'Change expiry of key' : null;
}

/** An entry in words: its action, and what became of the thing where the action alone does not say that. */
export function entryWords({ action, detail }: { readonly action: string; readonly detail: Detail }): string {
  if (action === 'feedback.move-submission') return moveWords(detail) ?? actionWords(action);
  if (action === 'organizations.set-switches') return switchWords(detail) ?? actionWords(action);
  if (action === 'organizations.change-key') return keyWords(detail) ?? actionWords(action);
  return actionWords(action);
}

/** An action in words: `imports.approve-import` is "Approve import". */
export function actionWords(action: string): string {
  const known = WORDS[action];
  if (known !== undefined) return known;
  const words = action.slice(action.indexOf('.') + 1).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
