const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/**
 * A member's name as a message may show it. The caller chose it, so only what looks like a field's name is repeated:
 * a secret or a piece of customer data that slipped into the place of a name is not.
 */
export function shownName(name: string): string {
  return PLAIN_NAME.test(name) && !name.startsWith('svc_') ? `"${name}"` : 'a member whose name is not shown';
}
