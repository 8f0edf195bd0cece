/**
 * The words of an owner or admin about whom an invitation is for. They are mostly a name, so they are private. They end with
 * the invitation.
 */
export function invitationBlob(organizationId: string, invitationId: string) {
  return { ...invitationBlobs(organizationId, invitationId), name: 'for' };
}

/** The address that an invitation is mailed to. It ends with the invitation, or once the mail is sent. */
export function invitationAddressBlob(organizationId: string, invitationId: string) {
  return { ...invitationBlobs(organizationId, invitationId), name: 'address' };
}

/** Everything private about an invitation. */
export function invitationBlobs(organizationId: string, invitationId: string) {
  return { owner: organizationId, group: invitationId };
}
