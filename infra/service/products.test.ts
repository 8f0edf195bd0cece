import { describe, expect, it } from 'vitest';
import type { ProcessorDependencies } from '../../processors/runtime/dependencies.ts';
import { PRODUCTS } from '../../schemas/products.ts';
import type { ProductWork } from '../../schemas/workspaces/product.ts';
import { PRODUCT_CODE } from './products.ts';

/** No item is handled here. */
const NO_ENGINE = {} as ProcessorDependencies;

describe.each(PRODUCTS.map((product, index) => ({ ...product, code: PRODUCT_CODE[index]! })))(
  'the code of $name',
  ({ name, works, credentials, code }) => {
    it('has the name of its declaration', () => {
      expect(code.gateway.name).toBe(name);
    });

    it('authenticates each credential that it declares', () => {
      expect(Object.keys(code.gateway.authenticators).sort()).toEqual(Object.keys(credentials).sort());
    });

    it('starts one consumer for each topic of work items that it declares for workers', async () => {
      const started = code.processors.startWork?.(NO_ENGINE, { threads: 1 });
      const topics = (started?.works ?? []).map(({ topic }) => topic);
      await started?.close();
      const ofWorkers = Object.entries<ProductWork>(works).filter(([, { role }]) => role === undefined);
      expect(topics.sort()).toEqual(ofWorkers.map(([topic]) => topic).sort());
    });
  },
);
