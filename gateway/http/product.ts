import type { ProductDocumentation } from './documentation.ts';
import type { Route } from './route.ts';
import type { ProductReads } from './services.ts';

/** The gateway's part of a product; `gateway/<topic>/product.ts` exports it as `gatewayProduct`. */
export interface GatewayProduct extends ProductReads {
  readonly routes: readonly Route[];
  readonly documentation: ProductDocumentation;
}
