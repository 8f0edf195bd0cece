import type { z } from 'zod';
import type { ErrorCode } from '../../../schemas/base/error-codes.ts';
import { serviceError } from '../../../schemas/base/errors.ts';
import { mappingSchema } from '../../../schemas/imports/configuration.ts';
import { APPROVED, CANCELLED, UPLOADED, VALIDATING } from '../../../schemas/imports/example-import.ts';
import {
  approveRequestSchema,
  emptyRequestSchema,
  eraseRequestSchema,
  importStatusSchema,
  validateRequestSchema,
} from '../../../schemas/imports/http.ts';
import type { ImportStatus } from '../../../schemas/imports/status.ts';
import { json } from '../../http/routing/audience.ts';
import type { BodyRule } from '../../http/routing/route.ts';
import { forAgent, forOwner, forPage, type ImportOperation, type ImportRequest } from '../one-import.ts';
import { submitMapping } from '../submit-mapping.ts';

interface Answers {
  readonly status?: 200 | 202;
  readonly description: string;
  /** The members of the answer that differ from an import that is ready. */
  readonly example: Partial<z.infer<typeof importStatusSchema>>;
  readonly errors: readonly ErrorCode[];
}

/** An operation that changes an import; the answer is the import's status. */
function changing<Body>(
  path: string,
  body: BodyRule<Body>,
  { status = 200, description, example, errors }: Answers,
  change: (request: ImportRequest<undefined, Body>) => Promise<ImportStatus>,
): ImportOperation<undefined, Body> {
  const success = { status, schema: importStatusSchema, description, example };
  const handle = async (request: ImportRequest<undefined, Body>) => ({ body: await change(request) });
  return { method: 'post', path, body, success, errors, handle };
}

const map = changing(
  '/mapping',
  json(mappingSchema, 'configurationBytes'),
  {
    description: 'The import',
    example: UPLOADED,
    errors: ['revision_conflict', 'state_conflict', 'cancelled', 'erased'],
  },
  submitMapping,
);

const MAP = 'Map columns of the file to fields of the schema';

export const mapImport = {
  agent: forAgent(map, {
    name: 'mapImport',
    summary: MAP,
    description:
      'Maps columns of the file to fields of the schema. Any former validation ends, and the file has to be validated again.',
  }),
  page: forPage(map, {
    name: 'mapSessionImport',
    summary: `${MAP}, as a browser`,
    description: 'Maps columns of the file to fields of the schema. The file has to be validated again.',
  }),
  owner: forOwner(map, {
    name: 'mapWorkspaceImport',
    summary: `${MAP}, as the owner`,
    description: 'Maps columns of the file to fields of the schema. Any former validation ends.',
  }),
};

/** Queues a validation: being accepted is not being done. */
const validate = changing(
  '/validate',
  json(validateRequestSchema),
  {
    status: 202,
    description: 'The import, being validated',
    example: VALIDATING,
    errors: [
      'idempotency_conflict',
      'revision_conflict',
      'state_conflict',
      'cancelled',
      'limit_reached',
      'erased',
    ],
  },
  async ({ workspace, importId, body, submit, keyOf, requireOwn }) => {
    await requireOwn();
    return await submit({
      topic: 'imports',
      key: workspace.installationId,
      type: 'validate-import',
      input: { importId },
      idempotencyKey: keyOf(body.idempotencyKey),
    });
  },
);

const VALIDATE = 'Queue a validation of the import';

export const validateImport = {
  agent: forAgent(validate, {
    name: 'validateImport',
    summary: VALIDATE,
    description:
      'Queues a validation of the whole file and returns at once. Read the import until its status is no longer `validating`.',
    whenPaused: 'refused',
  }),
  page: forPage(validate, {
    name: 'validateSessionImport',
    summary: `${VALIDATE}, as a browser`,
    description: 'Queues a validation of the whole file and returns at once.',
  }),
  owner: forOwner(validate, {
    name: 'validateWorkspaceImport',
    summary: `${VALIDATE}, as the owner`,
    description: 'Queues a validation of the whole file and returns at once.',
  }),
};

/** Approves exactly what was validated, or nothing. */
const approve = changing(
  '/approve',
  json(approveRequestSchema),
  {
    description: 'The import, approved',
    example: APPROVED,
    errors: ['forbidden', 'conflict', 'revision_conflict', 'state_conflict', 'cancelled', 'erased'],
  },
  async ({ workspace, importId, body, submit, services, mayApprove, requireOwn }) => {
    if (!mayApprove) {
      throw serviceError('forbidden', {
        at: 'session.approvalDelegated',
        seen: 'a session without delegated approval',
        expected: 'approval by the owner or a session with delegated approval',
      });
    }
    await requireOwn();
    const input = { importId, validationDigest: body.validationDigest };
    const { installationId } = workspace;
    const approved = await submit({ topic: 'imports', key: installationId, type: 'approve-import', input });
    await services.approvalWaits.announce({ installationId, schemaId: approved.schemaId });
    return approved;
  },
);

const APPROVE = 'Approve the exact validation of an import';

export const approveImport = {
  page: forPage(approve, {
    name: 'approveSessionImport',
    summary: `${APPROVE}, where the owner delegated that`,
    description:
      'Approves one exact validation of an import of the session. It is forbidden unless the capability of the session delegates approvals.',
  }),
  owner: forOwner(approve, {
    name: 'approveImport',
    summary: APPROVE,
    description: 'Approves one exact validation. The backend of the customer can then pull its batches.',
  }),
};

/** Cancels an import. The fold knows who asks: only owners and admins still can after the approval. */
const cancel = changing(
  '/cancel',
  json(emptyRequestSchema),
  { description: 'The import, cancelled', example: CANCELLED, errors: ['erased'] },
  async ({ workspace, importId, submit, requireOwn }) => {
    await requireOwn();
    const key = workspace.installationId;
    return await submit({ topic: 'imports', key, type: 'cancel-import', input: { importId } });
  },
);

const CANCEL = 'Cancel an import that is not approved';
const NOT_AFTER_APPROVAL = { errors: ['state_conflict'] } as const;

export const cancelImport = {
  agent: forAgent(cancel, {
    ...NOT_AFTER_APPROVAL,
    name: 'cancelImport',
    summary: CANCEL,
    description: 'Cancels an import that is not approved. A repeat gets the same answer.',
    idempotencyHeader: true,
  }),
  page: forPage(cancel, {
    ...NOT_AFTER_APPROVAL,
    name: 'cancelSessionImport',
    summary: `${CANCEL}, as a browser`,
    description: 'Cancels an import of the session that is not approved.',
  }),
  owner: forOwner(cancel, {
    name: 'cancelWorkspaceImport',
    summary: 'Cancel an import, as the owner',
    description: 'Cancels an import. Its data is deleted.',
    idempotencyHeader: true,
  }),
};

/** Erases an import for good, and whatever became of the workspace. */
const erase = changing(
  '/erase',
  json(eraseRequestSchema),
  {
    description: 'The import as it was, erased',
    example: { ...CANCELLED, status: 'erased' },
    errors: ['erased'],
  },
  async ({ workspace, importId, body, submit }) => {
    if (body.confirm !== importId) {
      throw serviceError('bad_request', {
        at: 'body.confirm',
        seen: 'another id',
        expected: 'the id of the import in the path',
      });
    }
    const key = workspace.installationId;
    return await submit({ topic: 'imports', key, type: 'erase-import', input: { importId } });
  },
);

export const eraseImport = forOwner(erase, {
  name: 'eraseImport',
  summary: 'Erase an import with everything that was made of it',
  description: 'Erases an import with its file, rows, errors and mapping. This cannot be undone.',
  whenEnded: 'allowed',
});
