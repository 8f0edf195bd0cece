import type { GatewayProduct } from '../../gateway/http/product.ts';
import type { ProcessorProduct } from '../../processors/runtime/product.ts';
import { PRODUCTS } from '../../schemas/products.ts';

interface ProductCode {
  readonly gateway: GatewayProduct;
  readonly processors: ProcessorProduct;
}

/**
 * The code of each product, in the order of their list. The folders of a product have the name of its topic: a declaration in
 * `schemas/` must not import them.
 */
export const PRODUCT_CODE: readonly ProductCode[] = await Promise.all(
  PRODUCTS.map(async ({ topic }) => {
    const [gateway, processors] = await Promise.all([
      importCode(`gateway/${topic}`, 'gatewayProduct'),
      importCode(`processors/${topic}`, 'processorProduct'),
    ]);
    return { gateway, processors } as ProductCode;
  }),
);

async function importCode(folder: string, name: string): Promise<unknown> {
  const { href } = new URL(`../../${folder}/product.ts`, import.meta.url);
  const code: unknown = ((await import(href)) as Readonly<Record<string, unknown>>)[name];
  if (code === undefined) throw new Error(`loading ${folder}/product.ts: it exports no ${name}`);
  return code;
}
