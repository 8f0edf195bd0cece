import { serviceError } from '../../../schemas/base/errors.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import {
  memberDocumentSchema,
  organizationDocumentSchema,
} from '../../../schemas/organizations/documents.ts';
import {
  oneTimeLinkSchema,
  operatorResetRequestSchema,
  signOutRequestSchema,
} from '../../../schemas/people/http.ts';
import { resetLink } from '../../../schemas/people/link-paths.ts';
import { operator, owner } from '../../audiences.ts';
import { creationSecret } from '../../http/records/derive.ts';
import { readAggregate } from '../../http/records/read-aggregate.ts';
import { json } from '../../http/routing/audience.ts';
import type { RouteContext } from '../../http/routing/route.ts';
import { OWNER_ONLY } from '../../roles.ts';
import type { GatewayServices } from '../../services.ts';
import { personKeyOf } from '../person-key.ts';
import { readIdentified } from '../verified-identity.ts';

const ONE_TIME_LINK = {
  idempotencyHeader: true,
  success: {
    status: 201,
    schema: oneTimeLinkSchema,
    description: 'The link, shown once; an older one no longer works',
  },
  errors: ['not_found', 'gone'],
} as const;

/** Makes a one-time link for a member of the organization. */
export const offerResetRoute = owner.post('/members/:userId/reset-link', {
  ...ONE_TIME_LINK,
  name: 'offerReset',
  summary: 'Make a one-time link with which a member sets a new password',
  description: 'Creates a one-time link with which a member sets a new password. A former link ends.',
  roles: OWNER_ONLY,
  body: json(signOutRequestSchema),
  async handle({ params, submit, ...request }) {
    const key = request.principal.organizationId;
    await refuseWithoutPassword(request.services, key, params.userId);
    return await createLink('offerReset', request, (codeDigest) =>
      submit({
        topic: 'organizations',
        key,
        type: 'offer-reset',
        digestInput: params,
        input: { userId: params.userId, codeDigest },
      }),
    );
  },
});

/**
 * Refuses a member whom an identity provider signs in: nothing asks that person for a password. The fold decides on all
 * others.
 */
async function refuseWithoutPassword(
  services: GatewayServices,
  organizationId: string,
  userId: string,
): Promise<void> {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const rows = [{ kind: 'member', id: userId }];
  const { row } = await readAggregate(services.store, aggregate, organizationDocumentSchema, rows);
  const member = row('member', userId, memberDocumentSchema);
  const found = member === null ? null : await readIdentified(services, member.personKey);
  if (found === null || found.identity.passwordVerifier !== null) return;
  throw serviceError('forbidden', {
    at: 'path.userId',
    seen: 'a person who signs in with an identity provider',
    expected: 'one who signs in with a password',
  });
}

/** Makes a one-time link for any person, whatever organization that person is a member of. */
export const offerOperatorResetRoute = operator.post('/people/reset-link', {
  ...ONE_TIME_LINK,
  name: 'offerOperatorReset',
  summary: 'Make a one-time link with which any person sets a new password',
  description: 'Creates a one-time link with which any person sets a new password. A former link ends.',
  body: json(operatorResetRequestSchema),
  async handle({ body, submit, ...request }) {
    const key = request.principal.organizationId;
    const personKey = personKeyOf(request.services.secrets, body.email);
    return await createLink('offerOperatorReset', request, (codeDigest) =>
      submit({
        topic: 'organizations',
        key,
        type: 'offer-operator-reset',
        digestInput: { personKey },
        input: { personKey, codeDigest },
      }),
    );
  },
});

/** The result of both commands. */
interface CreatedLink {
  readonly digest: string;
  readonly expiresAt: number;
}

/** Offers a reset and answers with its link. The code is in the fragment, which browsers send to no server. */
async function createLink(
  operation: string,
  {
    principal,
    idempotencyKey,
    services,
  }: Pick<RouteContext<'console', unknown, unknown, unknown>, 'principal' | 'idempotencyKey' | 'services'>,
  offer: (codeDigest: string) => Promise<CreatedLink>,
) {
  const scope = [operation, principal.organizationId];
  const code = creationSecret(services, 'reset', idempotencyKey, scope);
  const { digest, expiresAt } = await offer(code.digest);
  const url = resetLink(services.hosts.console, code.again(digest));
  return { body: { url, expiresAt: isoTime(expiresAt) } };
}
