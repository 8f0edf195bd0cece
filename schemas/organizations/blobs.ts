/**
 * The words of an owner or admin about whom an invitation is for. They are mostly a name, so they are private. They end with
 * the invitation.
 */
export function invitationBlob(organizationId: string, invitationId: string) {
  return { owner: organizationId, group: invitationId, name: 'for' };
}
