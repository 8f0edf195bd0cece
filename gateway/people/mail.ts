import { serviceError } from '../../schemas/base/errors.ts';
import { DAY_MS, HOUR_MS } from '../../schemas/base/time.ts';
import { throttle } from '../http/callers/throttle.ts';
import type { GatewayServices } from '../services.ts';

/** @throws {ServiceError} `not_found` where no mail server is configured */
export function refuseWithoutMail({ sendsMail }: Pick<GatewayServices, 'sendsMail'>): void {
  if (sendsMail) return;
  throw serviceError('not_found', {
    at: 'service.mail',
    seen: 'none',
    expected: 'a mail server in the settings of the service; ask an owner for a link',
  });
}

/**
 * Counts an invitation that is mailed: by person, by organization, and by the address, which no one has proved.
 *
 * @returns a function that takes it back
 * @throws {ServiceError} `rate_limited` beyond a limit
 */
export async function throttleInvitationMail(
  services: Pick<GatewayServices, 'counters' | 'clock' | 'limits'>,
  { userId, organizationId, outbox }: Record<'userId' | 'organizationId' | 'outbox', string>,
): Promise<() => Promise<void>> {
  const { invitationMailsPerPersonHour, invitationMailsPerOrganizationDay, invitationMailsPerAddressDay } =
    services.limits.console;
  return await throttle(
    services,
    [
      { key: `invite-mail:${userId}`, limit: invitationMailsPerPersonHour, windowMs: HOUR_MS },
      { key: `invite-mail:${organizationId}`, limit: invitationMailsPerOrganizationDay, windowMs: DAY_MS },
      { key: `invite-mail:${outbox}`, limit: invitationMailsPerAddressDay, windowMs: DAY_MS },
    ],
    {
      at: 'request.rate',
      seen: 'too many invitations by mail',
      expected: 'fewer; leave the e-mail address out and pass the link on',
    },
  );
}
