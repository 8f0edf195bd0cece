import { z } from 'zod';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../schemas/base/secrets.ts';
import { epochMsSchema, isoTime } from '../../schemas/base/time.ts';
import { claimLinkAnswerSchema, claimLinkRequestSchema } from '../../schemas/workspaces/http.ts';
import { defineRoute } from '../route.ts';
import { confirmCode } from './confirm-code.ts';

/** POST `/v1/agent/workspace/claim-link`: the link that a person opens to attach the preview (contract B). */
export const openClaimLinkRoute = defineRoute({
  name: 'openClaimLink',
  summary: 'Open a claim link and end the one before it',
  method: 'POST',
  path: '/v1/agent/workspace/claim-link',
  host: 'base',
  principal: 'project',
  whenPaused: 'allowed',
  rate: 'management',
  body: { kind: 'json', schema: claimLinkRequestSchema, limit: 'jsonBytes' },
  success: {
    status: 201,
    schema: claimLinkAnswerSchema,
    description: 'The link, and the code to show beside it',
  },
  errors: ['forbidden', 'state_conflict'],
  noStore: true,
  async handle({ principal, body, services, submit }) {
    const code = secretFrom('claim', services.entropy.bytes(SECRET_BYTES));
    const { expiresAt } = openedSchema.parse(
      await submit({
        topic: 'workspaces',
        key: principal.workspace.installationId,
        type: 'claim-link',
        digestInput: {},
        input: {
          provisionDigest: secretDigest(body.provisionToken),
          claimDigest: secretDigest(code),
        },
      }),
    );
    return {
      body: {
        claimUrl: `${services.hosts.console}/agent-workspaces/claim#${code}`,
        confirmCode: confirmCode(services.secrets, code),
        expiresAt: isoTime(expiresAt),
      },
    };
  },
});

const openedSchema = z.strictObject({ expiresAt: epochMsSchema });
