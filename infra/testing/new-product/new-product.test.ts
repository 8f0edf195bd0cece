import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { copyWithProduct, loadFrom, useNewProduct } from './journey.fixture.ts';

type Tables = typeof import('../../tools/reference/tables.ts');
type Drawing = typeof import('../../tools/interface/topic-drawing.ts');
type Claiming = typeof import('../../../gateway/workspaces/operations/change-workspace.ts');
type Products = typeof import('../../../schemas/products.ts');
type Scaling = typeof import('../../tools/interface/scaling.ts');

/** The places for tables on a page of the reference. */
const PAGE = `
<!-- endpoints: countWithKey -->
<!-- end -->
<!-- plan limits: svctally -->
<!-- end -->
<!-- limits: tallies -->
<!-- end -->
`;

describe('a product of three files and a place in the list of products', () => {
  it('appears in capabilities, OpenAPI, lifecycle, claims and erasure', useNewProduct);

  it('compiles', async () => {
    const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
    const compiled = promisify(execFile)(process.execPath, [compiler], { cwd: copyWithProduct() });
    const { stdout } = await compiled.catch((failure: { readonly stdout: string }) => failure);
    expect(stdout).toBe('');
  });

  it.each([true, false])('is in every workspace unless it is an opt-in: %s', async (optIn) => {
    const copy = copyWithProduct();
    const declaration = join(copy, 'schemas/tallies/product.ts');
    const text = readFileSync(declaration, 'utf8');
    expect(text).toContain('optIn: true');
    writeFileSync(declaration, text.replace('optIn: true', `optIn: ${optIn}`));
    const { hasProduct, optInSchema, productSchema } = await loadFrom<Products>(copy, 'schemas/products.ts');
    const name = 'svctally' as Parameters<typeof hasProduct>[1];
    expect(hasProduct([], name)).toBe(!optIn);
    expect(hasProduct([name], name)).toBe(true);
    expect(hasProduct([], 'svcimport')).toBe(false);
    expect(optInSchema.safeParse(name).success).toBe(optIn);
    expect(productSchema.safeParse(name).success).toBe(true);
  });

  it('is named where a workspace has nothing that was verified', async () => {
    const { NOTHING_VERIFIED } = await loadFrom<Claiming>(
      copyWithProduct(),
      'gateway/workspaces/operations/change-workspace.ts',
    );
    expect(NOTHING_VERIFIED).toContain('a tally that has counted');
  });

  it('appears in what `npm run interface` writes: the reference, the topics and the autoscalers', async () => {
    const copy = copyWithProduct();
    const read = (path: string) => readFileSync(join(copy, path), 'utf8');
    const { withReferenceTables } = await loadFrom<Tables>(copy, 'infra/tools/reference/tables.ts');
    const page = withReferenceTables(PAGE);
    expect(page).toMatch(/`POST \/v1\/tally\/count`.*tally key/);
    expect(page).toMatch(/lifetime of a tally.*1 minute.*`tallies\.keptMs`/);
    expect(page).toMatch(/tallies ever \| 2 +\| 3 +\| `plans\.\{preview,free\}\.tallies`/);

    const { withDrawing } = await loadFrom<Drawing>(copy, 'infra/tools/interface/topic-drawing.ts');
    expect(withDrawing(read('infra/docs/topics.md'))).toContain('[(tally-removals)]');

    const { AUTOSCALERS, withTriggers } = await loadFrom<Scaling>(copy, 'infra/tools/interface/scaling.ts');
    const triggers = Object.entries(AUTOSCALERS).map(([name, scaled]) =>
      withTriggers(read(`infra/deployment/kubernetes/service/${name}`), scaled),
    );
    expect(triggers.join('')).toContain('consumerGroup: svc.fold-tallies.tallies\n');
    expect(triggers.join('')).toContain('consumerGroup: svc.work-tally-removals.tally-removals\n');
  });
});
