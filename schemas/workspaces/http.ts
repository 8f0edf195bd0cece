import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { EXAMPLES, exampleOf } from '../base/examples.ts';
import { exampleId, idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { cursorSchema, nextCursorSchema, pageLimitSchema } from '../base/paging.ts';
import { exampleSecret, secretSchema } from '../base/secrets.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { wireForms } from '../base/wire.ts';
import { importLimitsSchema } from '../imports/http.ts';
import { type AnyProduct, mapCounters, optInSchema, PRODUCTS } from '../products.ts';
import { verifiedKindSchema } from './claim-evidence.ts';
import { cohortSchema } from './documents.ts';
import { planSchema, workspaceStateSchema } from './lifecycle.ts';

const count = z.int().nonnegative();
const CONFIRM_CHARACTERS_MAX = 200;

const workspaceId = idSchema('workspace');
const expiresAt = isoTimeSchema.nullable().meta({
  description: 'The end of the preview; null once the workspace is claimed.',
  example: '2026-09-10T10:00:00.000Z',
});

/** The members of a workspace in lists. */
export const summaryFields = {
  workspaceId,
  installationId: idSchema('installation'),
  name: nameSchema,
  cohort: cohortSchema.describe('The cohort that the creator named.'),
  products: z.array(optInSchema).meta({
    description: 'The opt-in products of the workspace.',
    example: ['svcactivate', 'svcimport'],
  }),
  state: workspaceStateSchema,
  plan: planSchema,
  expiresAt,
};

const workspaceFields = {
  ...summaryFields,
  createdAt: isoTimeSchema,
  console: z.url().meta({
    description: 'The page on which an owner opens the workspace.',
    get example() {
      return `https://console.example.com/agent-workspaces/${exampleId('workspace')}`;
    },
  }),
};

export const createWorkspaceRequestSchema = z
  .strictObject({
    name: nameSchema,
    cohort: cohortSchema,
    products: z
      .array(optInSchema)
      .max(optInSchema.options.length)
      .refine((products) => new Set(products).size === products.length, 'expected every product once')
      .meta({ uniqueItems: true })
      .optional()
      .meta({ description: 'Opt-in products, each once.', example: ['svcactivate', 'svcimport'] }),
    provisionToken: secretSchema('provision')
      .optional()
      .describe(
        'A token that the caller makes from random bytes and keeps before the request, so that it can repeat a request whose answer was lost. Without it the answer has a new one.',
      ),
  })
  .meta({ id: 'CreateWorkspaceRequest', description: 'A workspace to be created as a preview.' });

export const createdWorkspaceSchema = z
  .strictObject({
    ...workspaceFields,
    provisionToken: secretSchema('provision').describe('Proves later that the caller created the workspace.'),
    credential: secretSchema('project').describe('The project credential, for `Authorization: Bearer`.'),
  })
  .meta({
    id: 'CreatedWorkspace',
    description: 'A new workspace with its secrets. Keep both secrets private.',
  });

const claimedAt = isoTimeSchema
  .nullable()
  .meta({ description: 'The time at which it was claimed; null before.', example: null });

export const agentWorkspaceSchema = z
  .strictObject({
    ...workspaceFields,
    activation: z
      .strictObject({
        attachedAt: isoTimeSchema.nullable().meta({
          description: 'The time at which it was attached to an organization; null before.',
          example: null,
        }),
        claimedAt,
      })
      .meta({
        id: 'WorkspaceActivation',
        description: 'How far an owner has taken the workspace over.',
      }),
    limits: usedLimitsSchema(),
    ...unreadableMember,
  })
  .meta({ id: 'AgentWorkspace', description: 'A workspace as its agent sees it.' });

/** The used limits of each product, by its name. */
export function usedLimitsSchema() {
  const limits = PRODUCTS.map(({ name, usedLimits }) => [name, usedLimits.optional()]);
  return z
    .strictObject(
      Object.fromEntries(limits) as {
        readonly [Each in AnyProduct as Each['name']]: z.ZodOptional<Each['usedLimits']>;
      },
    )
    .meta({
      description: 'Limits of the products of the workspace.',
      get example() {
        return { svcimport: exampleOf(importLimitsSchema) };
      },
    });
}

export const claimLinkRequestSchema = z
  .strictObject({
    provisionToken: secretSchema('provision').describe('The token from the creation of the workspace.'),
  })
  .meta({
    id: 'ClaimLinkRequest',
    description: 'Proves that the caller created the workspace.',
  });

export const claimLinkAnswerSchema = z
  .strictObject({
    claimUrl: z.url().meta({
      description: 'The address to open. The code is in the fragment, which browsers do not send.',
      get example() {
        return `https://console.example.com/agent-workspaces/claim#${exampleSecret('claim')}`;
      },
    }),
    confirmCode: z.string().meta({
      description: 'Show it beside the link. The person types it.',
      example: 'K7QM',
    }),
    expiresAt: isoTimeSchema.meta({ example: '2026-09-07T11:00:00.000Z' }),
  })
  .meta({
    id: 'ClaimLink',
    description: 'A link with which a person attaches the workspace to an organization.',
  });

/** The number of resources that were ever created in a workspace, by kind. */
export const inventorySchema = z
  .strictObject(mapCounters(({ member: _member, ...texts }) => count.meta(texts)))
  .meta({
    id: 'Inventory',
    description: 'Counts of everything that was ever made in the workspace.',
  });

export type Inventory = z.infer<typeof inventorySchema>;

/** A claim needs one such result (infra/docs/reference/workspaces.md#claiming). */
const verifiedResultSchema = z
  .strictObject({
    kind: verifiedKindSchema.describe('The product that it was seen in.'),
    id: z.string().meta({
      description: 'The import, checklist, run or submission.',
      example: EXAMPLES.importId,
    }),
    at: isoTimeSchema.meta({
      description: 'The time at which the data arrived.',
      example: EXAMPLES.later,
    }),
    rows: count.nullable().meta({
      description: 'The rows of an import, all of which are valid; null for other kinds.',
      example: 2,
    }),
  })
  .meta({
    id: 'VerifiedResult',
    description: 'A result that the service itself has seen to work. A claim needs at least one.',
  });

export type VerifiedResult = z.infer<typeof verifiedResultSchema>;

/** A project credential as its owner sees it. */
const credentialAnswerSchema = z
  .strictObject({
    credentialId: idSchema('credential'),
    name: nameSchema.nullable().meta({
      description: 'The name; null for the credential that the workspace was created with.',
      example: 'CI agent',
    }),
    last4: z.string().meta({
      description: 'The last four characters of the secret, to tell one from another.',
      get example() {
        return exampleSecret('project').slice(-4);
      },
    }),
    createdAt: isoTimeSchema,
    lastUsedAt: isoTimeSchema
      .nullable()
      .describe('The time of the latest use, to the hour; null before the first one.'),
    overlapEndsAt: isoTimeSchema.nullable().meta({
      description: 'The time until which the former secret works; null if there is none.',
      example: null,
    }),
  })
  .meta({ id: 'Credential', description: 'A project credential without its secret.' });

export type CredentialAnswer = z.infer<typeof credentialAnswerSchema>;

const contentFields = {
  inventory: inventorySchema,
  results: z.array(verifiedResultSchema).describe('Results that a claim can rest on.'),
  credentials: z.array(credentialAnswerSchema).describe('The credentials that have access.'),
};

const code = secretSchema('claim').describe('The code in the fragment of the claim link.');

export const inspectClaimRequestSchema = z
  .strictObject({ code })
  .meta({ id: 'InspectClaimRequest', description: 'The claim link to inspect.' });

export const claimInspectionSchema = z
  .strictObject({
    workspaceId,
    name: nameSchema,
    cohort: summaryFields.cohort,
    createdAt: isoTimeSchema,
    expiresAt,
    ...contentFields,
    claimable: z.boolean().meta({ description: 'True if a claim would be accepted now.', example: true }),
    reason: z.string().nullable().describe('A sentence about what a claim still needs; null if nothing.'),
    ...unreadableMember,
  })
  .meta({
    id: 'ClaimInspection',
    description: 'A workspace as the holder of its claim link sees it.',
  });

export const attachClaimRequestSchema = z
  .strictObject({
    code,
    confirm: z
      .string()
      .regex(
        /^[A-HJ-NP-Za-hj-np-z2-9]{4}$/,
        'expected the four letters and digits shown together with the link',
      )
      .meta({
        description: 'The four letters and digits shown together with the link.',
        example: 'K7QM',
      }),
  })
  .meta({
    id: 'AttachClaimRequest',
    description: 'The claim link to attach, with the code shown beside it.',
  });

/** A workspace as its owner sees it: GET `/v1/console/workspaces/{workspaceId}`. */
export const consoleWorkspaceSchema = z
  .strictObject({
    ...workspaceFields,
    organizationId: idSchema('organization'),
    attachedAt: isoTimeSchema.meta({
      description: 'The time at which it was attached to the organization.',
      example: EXAMPLES.later,
    }),
    claimedAt,
    ...contentFields,
    ...unreadableMember,
  })
  .meta({ id: 'Workspace', description: 'A workspace as its owner sees it.' });

/** POST `…/claim`, `…/pause`, `…/resume`. The path names the workspace. */
export const workspaceChangeRequestSchema = z
  .strictObject({})
  .meta({ id: 'EmptyRequest', description: 'An empty object.' });

export const confirmedChangeRequestSchema = z
  .strictObject({
    confirm: textSchema({ min: 1, max: CONFIRM_CHARACTERS_MAX }).meta({
      description: 'The name of the workspace.',
      example: 'Orders',
    }),
  })
  .meta({ id: 'ConfirmedChangeRequest', description: 'Confirms a change that cannot be undone.' });

export const createCredentialRequestSchema = z
  .strictObject({
    idempotencyKey: idempotencyKeySchema,
    name: nameSchema.meta({
      description: 'A name to tell credentials apart.',
      example: 'CI agent',
    }),
  })
  .meta({ id: 'CreateCredentialRequest', description: 'A project credential to be created.' });

export const rotateCredentialRequestSchema = z
  .strictObject({
    idempotencyKey: idempotencyKeySchema,
    overlapHours: z
      .int()
      .nonnegative()
      .register(wireForms, { maximum: 'workspace.rotationOverlapHoursMax' })
      .meta({
        description: 'Hours for which the former secret still works; 0 ends it at once.',
        example: 24,
      }),
  })
  .meta({
    id: 'RotateCredentialRequest',
    description: 'How to replace the secret of a credential.',
  });

export const madeCredentialSchema = z
  .strictObject({
    credentialId: idSchema('credential'),
    credential: secretSchema('project').describe(
      'The secret, for `Authorization: Bearer`. A repeat with the same idempotency key has it again.',
    ),
  })
  .meta({
    id: 'CredentialSecret',
    description: 'The only answer that has the secret of a credential.',
  });

/** GET `/v1/console/workspaces`: newest first. */
export const listWorkspacesQuerySchema = z.strictObject({
  cursor: cursorSchema(
    z.string().regex(/^[0-9]{15}:wks_[a-z2-7]{24}$/, 'expected the nextCursor of the page before'),
  ),
  limit: pageLimitSchema,
});

export const workspaceListSchema = z
  .strictObject({
    workspaces: z
      .array(
        z
          .strictObject(summaryFields)
          .meta({ id: 'WorkspaceSummary', description: 'A workspace as lists show it.' }),
      )
      .describe('The workspaces, newest first.'),
    nextCursor: nextCursorSchema,
    ...unreadableMember,
  })
  .meta({ id: 'WorkspaceList', description: 'One page of workspaces.' });
