import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { readSchemaVersions } from '../../engines/cassandra/schema-files.ts';
import { CURRENT_SCHEMA } from '../../engines/embedded/schema.ts';
import { describeService, type ServiceInterface } from '../../service/interface.ts';
import { hasCommit, readBase, readDataVersionsAt, readInterfaceAt } from './base.ts';
import { brokenGuarantees, readPromise, unreadableBefore } from './promise.ts';

const promised = readPromise();
const current = JSON.parse(JSON.stringify(describeService())) as ServiceInterface;

/** A copy of the interface with a change somewhere below. */
function changed(path: readonly string[], change: (member: JsonObject) => void): ServiceInterface {
  const copy = structuredClone(current);
  let member = copy as unknown as JsonObject;
  for (const name of path) {
    member = member[name] as JsonObject;
    if (member === undefined) throw new Error(`finding ${path.join(' / ')}`);
  }
  change(member);
  return copy;
}

const check = ['openapi', 'paths', '/v1/check', 'post'];
const content = [...check, 'requestBody', 'content', 'application/json'];
const schemas = ['openapi', 'components', 'schemas'];
const create = ['topics', 'workspaces', 'records', 'create'];

describe('the interface', () => {
  it('breaks nothing that users were promised', () => {
    expect(brokenGuarantees(promised, current)).toEqual([]);
  });

  const { commit, breaks, back } = readBase();
  const isMissing = !hasCommit(commit);
  if (isMissing)
    process.stdout.write(
      `Left out: the interface of the latest release, ${commit}: this clone has no such commit.\n`,
    );

  it.skipIf(isMissing)(
    'breaks no promise of the latest release but those of base.json: `npm run interface -- --breaking` lists them',
    () => {
      expect(brokenGuarantees(readInterfaceAt(commit), current)).toEqual(breaks);
    },
  );

  it.skipIf(isMissing)(
    'writes nothing that the latest release cannot read but what base.json lists: `npm run interface -- --breaking` does that',
    () => {
      expect(unreadableBefore(readInterfaceAt(commit), current)).toEqual(back);
    },
  );

  it.skipIf(isMissing || back.length === 0)(
    'has versions of its data on which a release that cannot read them refuses to start',
    async () => {
      const before = readDataVersionsAt(commit);
      expect(CURRENT_SCHEMA.version).toBeGreaterThan(before.embedded);
      const newest = (await readSchemaVersions()).at(-1);
      expect(newest?.lowestCompatible).toBeGreaterThan(before.cassandra);
    },
  );

  it('is the one that is committed: after a change, `npm run interface` writes it down', () => {
    expect(current).toEqual(promised);
  });

  it.each<[string, ServiceInterface, string]>([
    [
      'a route that is gone',
      changed(['openapi', 'paths'], (paths) => delete paths['/v1/check']),
      '/v1/check: gone',
    ],
    [
      'another credential',
      changed(check, (operation) => Object.assign(operation, { security: [] })),
      'another credential',
    ],
    [
      'a member that is required now',
      changed([...schemas, 'CheckRequest'], (schema) => (schema['required'] as string[]).push('cost')),
      'POST /v1/check body.cost: required',
    ],
    [
      'a member that callers may not send any more',
      changed([...schemas, 'CheckRequest', 'properties'], (members) => {
        members['limit'] = { type: 'string' };
      }),
      'the type "integer"',
    ],
    [
      'a member that answers lack',
      changed([...schemas, 'CheckDecision'], (data) => (data['required'] as string[]).splice(0, 1)),
      'not always there',
    ],
    [
      'a record that cannot be read any more',
      changed(create, (schema) => (schema['required'] as string[]).push('later')),
      'topic workspaces create',
    ],
    [
      'an envelope that older releases do not write',
      changed(['topics', '*', 'records', 'envelope'], (schema) =>
        (schema['required'] as string[]).push('traceparent'),
      ),
      'topic * envelope.traceparent: required',
    ],
    [
      'a value of a request that is gone',
      changed([...create, 'properties', 'cohort'], (schema) => (schema['enum'] as string[]).pop()),
      'cohort: the value "dogfood"',
    ],
    [
      'another status of an answer',
      changed([...check, 'responses'], (answers) => {
        answers['202'] = answers['200'] ?? {};
        delete answers['200'];
      }),
      'POST /v1/check 200: answers another status',
    ],
    ['a topic that is gone', changed(['topics'], (topics) => delete topics['usage']), 'topic usage: gone'],
    [
      'a parameter that is required now',
      changed(check, (operation) => {
        operation['parameters'] = [{ name: 'tenant', in: 'query', required: true, schema: {} }];
      }),
      'tenant is required now',
    ],
  ])('notices %s', (_name, after, sentence) => {
    expect(brokenGuarantees(current, after).join('\n')).toContain(sentence);
  });

  const feedback = ['documents', 'feedback', 'root', 'properties'];

  it.each<[string, ServiceInterface, readonly string[]]>([
    [
      'lets a new member of a document pass',
      changed(feedback, (members) => Object.assign(members, { later: { type: 'string' } })),
      [],
    ],
    [
      'lets a new member of a record pass',
      changed([...create, 'properties'], (members) => Object.assign(members, { later: { type: 'string' } })),
      [],
    ],
    [
      'notices a new value in a record',
      changed([...create, 'properties', 'cohort'], (schema) => (schema['enum'] as string[]).push('later')),
      ['topic workspaces create.cohort: the value "later", which is not known there'],
    ],
    [
      'notices a record of a new type',
      changed(['topics', 'workspaces', 'records'], (records) => Object.assign(records, { later: {} })),
      ['topic workspaces later: not known there'],
    ],
    [
      'notices a work item that lacks a member',
      changed(['topics', 'check-runs', 'records', 'drive-run'], (schema) =>
        (schema['required'] as string[]).splice(0, 1),
      ),
      ['topic check-runs drive-run.installationId: required, and not always there'],
    ],
    [
      'notices a document of another type',
      changed(feedback, (members) => Object.assign(members, { lifecycle: { type: 'string' } })),
      ['document feedback root.lifecycle'],
    ],
    [
      'notices rows of a new kind',
      changed(['documents', 'feedback'], (kinds) => Object.assign(kinds, { later: {} })),
      ['document feedback later: not known there'],
    ],
  ])('going back %s', (_name, after, sentences) => {
    const found = unreadableBefore(current, after);
    expect(found).toHaveLength(sentences.length);
    for (const sentence of sentences) expect(found.join('\n')).toContain(sentence);
  });

  it.each<[string, ServiceInterface, string]>([
    [
      'a document that cannot be read any more',
      changed(['documents', 'feedback', 'root'], (schema) => (schema['required'] as string[]).push('later')),
      'document feedback root.later: required',
    ],
    [
      'a kind of rows that is gone',
      changed(['documents', 'feedback'], (kinds) => delete kinds['inbox']),
      'document feedback inbox: gone',
    ],
  ])('notices %s', (_name, after, sentence) => {
    expect(brokenGuarantees(current, after).join('\n')).toContain(sentence);
  });

  it('treats a schema with a name and the same schema in place as one', () => {
    const inPlace = changed(content, (body) => {
      expect(body['schema']).toEqual({ $ref: '#/components/schemas/CheckRequest' });
      const { CheckRequest } = (current.openapi['components'] as { schemas: JsonObject }).schemas;
      body['schema'] = structuredClone(CheckRequest);
    });
    expect(brokenGuarantees(inPlace, current)).toEqual([]);
    expect(brokenGuarantees(current, inPlace)).toEqual([]);
  });

  it('notices a parameter that is required now behind a reference', () => {
    const after = changed(check, (operation) => {
      operation['parameters'] = [{ $ref: '#/components/parameters/Tenant' }];
    });
    const { parameters } = after.openapi['components'] as { parameters: JsonObject };
    parameters['Tenant'] = { name: 'tenant', in: 'query', required: true, schema: {} };
    expect(brokenGuarantees(current, after).join('\n')).toContain('tenant is required now');
  });

  it('lets what is new pass', () => {
    const grown = changed(['openapi', 'paths'], (paths) => {
      paths['/v2/check'] = structuredClone(paths['/v1/check'] ?? {});
    });
    expect(brokenGuarantees(current, grown)).toEqual([]);
    expect(current).not.toEqual(grown);
  });
});
