import { describe, it } from 'vitest';
import { useNewProduct } from './journey.fixture.ts';

describe('a product of three files and a place in the list of products', () => {
  it('appears in capabilities, OpenAPI, lifecycle, claims and erasure', useNewProduct, 120_000);
});
