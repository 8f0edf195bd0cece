/**
 * The answers of brokers while a group has no coordinator yet: in the first seconds of a new log, and after a broker has ended. The
 * client marks them in its log in no other way.
 */
export const COORDINATOR_PENDING: readonly string[] = [
  'The group coordinator is not available',
  'This is not the correct coordinator for this group',
  "The coordinator is loading and hence can't process requests for this group",
];

/** True if a message of the client says that a group has no coordinator yet. Repeating the request helps. */
export function isCoordinatorPending(said: string): boolean {
  return COORDINATOR_PENDING.some((answer) => said.includes(answer));
}
