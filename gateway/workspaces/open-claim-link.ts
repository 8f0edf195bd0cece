import { secretDigest } from '../../schemas/base/secrets.ts';
import { isoTime } from '../../schemas/base/time.ts';
import { claimLinkAnswerSchema, claimLinkRequestSchema } from '../../schemas/workspaces/http.ts';
import { agent } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { creationSecret } from '../http/derive.ts';
import { confirmCode } from './confirm-code.ts';

/** POST `/v1/agent/workspace/claim-link`: opens the link with which a person attaches the preview. */
export const openClaimLinkRoute = agent.post('/workspace/claim-link', {
  name: 'openClaimLink',
  summary: 'Open a claim link and end the one before it',
  body: json(claimLinkRequestSchema),
  idempotencyHeader: true,
  success: {
    status: 201,
    schema: claimLinkAnswerSchema,
    description: 'The link, and the code to show beside it',
  },
  errors: ['forbidden', 'state_conflict', 'gone'],
  noStore: true,
  async handle({ principal, body, idempotencyKey, services, submit }) {
    const { installationId } = principal.workspace;
    const provisionDigest = secretDigest(body.provisionToken);
    const made = creationSecret(services, 'claim', idempotencyKey, ['openClaimLink', installationId]);
    const { digest, expiresAt } = await submit({
      topic: 'workspaces',
      key: installationId,
      type: 'claim-link',
      digestInput: { provisionDigest },
      input: { provisionDigest, claimDigest: made.digest },
    });
    const code = made.again(digest);
    return {
      body: {
        claimUrl: `${services.hosts.console}/agent-workspaces/claim#${code}`,
        confirmCode: confirmCode(services.secrets, code),
        expiresAt: isoTime(expiresAt),
      },
    };
  },
});
