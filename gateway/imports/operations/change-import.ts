import { type ErrorCode, serviceError } from '../../../schemas/base/errors.ts';
import { mappingSchema } from '../../../schemas/imports/configuration.ts';
import {
  approveRequestSchema,
  emptyRequestSchema,
  eraseRequestSchema,
  importStatusSchema,
  validateRequestSchema,
} from '../../../schemas/imports/http.ts';
import type { ImportStatus } from '../../../schemas/imports/status.ts';
import { json } from '../../http/audience.ts';
import type { BodyRule } from '../../http/route.ts';
import { forAgent, forOwner, forPage, type ImportOperation, type ImportRequest } from '../one-import.ts';
import { submitMapping } from '../submit-mapping.ts';

interface Answers {
  readonly status?: 200 | 202;
  readonly description: string;
  readonly errors: readonly ErrorCode[];
}

/** An operation that changes an import; the answer is the import's status. */
function changing<Body>(
  path: string,
  body: BodyRule<Body>,
  { status = 200, description, errors }: Answers,
  change: (request: ImportRequest<undefined, Body>) => Promise<ImportStatus>,
): ImportOperation<undefined, Body> {
  const success = { status, schema: importStatusSchema, description };
  const handle = async (request: ImportRequest<undefined, Body>) => ({ body: await change(request) });
  return { method: 'post', path, body, success, errors, handle };
}

const map = changing(
  '/mapping',
  json(mappingSchema, 'configurationBytes'),
  {
    description: 'The import',
    errors: ['revision_conflict', 'state_conflict', 'cancelled', 'erased'],
  },
  submitMapping,
);

const MAP = 'Map columns of the file to fields of the schema';

export const mapImport = {
  agent: forAgent(map, { name: 'mapImport', summary: MAP }),
  page: forPage(map, { name: 'mapSessionImport', summary: `${MAP}, as a browser` }),
  owner: forOwner(map, { name: 'mapWorkspaceImport', summary: `${MAP}, as the owner` }),
};

/** Queues a validation: being accepted is not being done. */
const validate = changing(
  '/validate',
  json(validateRequestSchema),
  {
    status: 202,
    description: 'The import, being validated',
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
  agent: forAgent(validate, { name: 'validateImport', summary: VALIDATE, whenPaused: 'refused' }),
  page: forPage(validate, { name: 'validateSessionImport', summary: `${VALIDATE}, as a browser` }),
  owner: forOwner(validate, { name: 'validateWorkspaceImport', summary: `${VALIDATE}, as the owner` }),
};

/** Approves exactly what was validated, or nothing. */
const approve = changing(
  '/approve',
  json(approveRequestSchema),
  {
    description: 'The import, approved',
    errors: ['forbidden', 'conflict', 'revision_conflict', 'state_conflict', 'cancelled', 'erased'],
  },
  async ({ workspace, importId, body, submit, mayApprove, requireOwn }) => {
    if (!mayApprove) {
      throw serviceError('forbidden', {
        at: 'session.approvalDelegated',
        seen: 'a session without delegated approval',
        expected: 'approval by the owner or a session with delegated approval',
      });
    }
    await requireOwn();
    const input = { importId, validationDigest: body.validationDigest };
    return await submit({ topic: 'imports', key: workspace.installationId, type: 'approve-import', input });
  },
);

const APPROVE = 'Approve the exact validation of an import';

export const approveImport = {
  page: forPage(approve, {
    name: 'approveSessionImport',
    summary: `${APPROVE}, where the owner delegated that`,
  }),
  owner: forOwner(approve, { name: 'approveImport', summary: APPROVE }),
};

/** Cancels an import. The fold knows who asks: only owners and admins still can after the approval. */
const cancel = changing(
  '/cancel',
  json(emptyRequestSchema),
  { description: 'The import, cancelled', errors: ['erased'] },
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
    idempotencyHeader: true,
  }),
  page: forPage(cancel, {
    ...NOT_AFTER_APPROVAL,
    name: 'cancelSessionImport',
    summary: `${CANCEL}, as a browser`,
  }),
  owner: forOwner(cancel, {
    name: 'cancelWorkspaceImport',
    summary: 'Cancel an import, as the owner',
    idempotencyHeader: true,
  }),
};

/** Erases an import for good, and whatever became of the workspace. */
const erase = changing(
  '/erase',
  json(eraseRequestSchema),
  { description: 'The import as it was, erased', errors: ['erased'] },
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
  whenEnded: 'allowed',
});
