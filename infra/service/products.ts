import { activateGateway } from '../../gateway/activate/product.ts';
import { checksGateway } from '../../gateway/checks/product.ts';
import { feedbackGateway } from '../../gateway/feedback/product.ts';
import type { GatewayProduct } from '../../gateway/http/product.ts';
import { importsGateway } from '../../gateway/imports/product.ts';
import { activateProcessors } from '../../processors/activate/product.ts';
import { checksProcessors } from '../../processors/checks/product.ts';
import { feedbackProcessors } from '../../processors/feedback/product.ts';
import { importsProcessors } from '../../processors/imports/product.ts';
import type { ProcessorProduct } from '../../processors/runtime/fold/product.ts';

interface ProductCode {
  readonly gateway: GatewayProduct;
  readonly processors: ProcessorProduct;
}

/** The code of each product, in the order of `schemas/products.ts`. */
export const PRODUCT_CODE: readonly ProductCode[] = [
  { gateway: importsGateway, processors: importsProcessors },
  { gateway: activateGateway, processors: activateProcessors },
  { gateway: checksGateway, processors: checksProcessors },
  { gateway: feedbackGateway, processors: feedbackProcessors },
];
