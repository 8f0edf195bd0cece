import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { describeService } from '../../service/interface.ts';

/** A redirect is the only success of these operations, and the rule asks for a status from 200 to 299. */
const REDIRECTS = ['#/paths/~1v1~1console~1oidc~1start', '#/paths/~1v1~1console~1oidc~1callback'];

async function problemsOf(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

function isRedirect(problem: string): boolean {
  return REDIRECTS.some((path) => problem.startsWith(`operation-2xx-response ${path}/get/`));
}

describe('the recommended rules of Redocly', () => {
  it('hold for the OpenAPI document', async () => {
    const problems = await problemsOf(describeService().openapi);
    expect(problems.filter((problem) => !isRedirect(problem))).toEqual([]);
  });

  it('find an example that does not fit its schema', async () => {
    const document = structuredClone(describeService().openapi) as {
      components: { schemas: { Inventory: { properties: { imports: { type: string } } } } };
    };
    document.components.schemas.Inventory.properties.imports.type = 'string';
    const problems = await problemsOf(document);
    expect(problems.some((problem) => problem.startsWith('no-invalid-media-type-examples'))).toBe(true);
  });
});
