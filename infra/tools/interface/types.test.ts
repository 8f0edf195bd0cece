import { beforeAll, describe, expect, it } from 'vitest';
import { describeService } from '../../service/interface.ts';
import { generateTypes } from '../openapi-types/generate.ts';
import { typeErrors } from '../openapi-types/typecheck.fixture.ts';

/** A client as a customer would write it. Each line names something that has to keep its name. */
const CLIENT = `
import type { components, operations, paths } from './svc.ts';

type Schemas = components['schemas'];

export const state: Schemas['ImportState'] = 'needs_correction';
export const counts = (status: Schemas['ImportStatus']): number => status.rows.invalid + status.validations.used;
export const approver = (status: Schemas['ImportStatus']): string | undefined => status.approvedBy?.id;
export const field: Schemas['ImportField'] = { key: 'code', type: 'text', required: true, maxLength: 20 };
export const request: Schemas['CheckRequest'] = { namespace: 'api', identifier: 'user_42', limit: 100, window: 60_000 };
export const code = (error: Schemas['Error']): Schemas['ErrorDetail']['code'] => error.error.code;

type Check = operations['check'];
export const answer = (body: Check['responses'][200]['content']['application/json']): boolean => body.data.allowed;
export const refused = (body: Check['responses'][409]['content']['application/json']): 'idempotency_conflict' | undefined =>
  body.error.code;
export const limited: components['responses']['RateLimited']['headers']['Retry-After'] = 30;

type Create = paths['/v1/agent/workspaces']['post'];
export const created: Create['requestBody']['content']['application/json'] = { name: 'Orders', cohort: 'external' };
export const key: Required<components['parameters']>['IdempotencyKey'] = 'order-1042';
export const page = (list: Schemas['WorkspaceList']): Schemas['WorkspaceSummary'][] => list.workspaces;
`;

let types: string;
beforeAll(async () => {
  types = await generateTypes(describeService().openapi);
});

describe('the types that openapi-typescript generates', () => {
  it('accept a client that uses them, and reject one that is wrong about them', () => {
    const wrong = CLIENT.replace("'needs_correction'", "'corrected'").replace('rows.invalid', 'rows.wrong');
    expect(typeErrors({ 'svc.ts': types, 'client.ts': CLIENT, 'wrong.ts': wrong })).toEqual([
      expect.stringMatching(/^wrong\.ts: Type '"corrected"' is not assignable/),
      expect.stringMatching(/^wrong\.ts: Property 'wrong' does not exist/),
    ]);
  });

  it('name the parts of a schema and repeat its texts', () => {
    const status = types.slice(types.indexOf('ImportStatus: {'));
    expect(status).toContain('rows: components["schemas"]["ImportRowCounts"];');
    expect(status).toContain('@description The time of the upload; null before.');
    expect(types).toContain('401: components["responses"]["Unauthorized"];');
  });
});
