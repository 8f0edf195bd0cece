import type { AnyProduct, Product } from '../../schemas/products.ts';
import type { CredentialedKind } from '../principals.ts';
import type { ProductReads } from '../services.ts';
import type { Authenticators } from './callers/bearer.ts';
import type { Route } from './routing/route.ts';

type CallerOf<Name extends Product> = CredentialedKind &
  keyof Extract<AnyProduct, { readonly name: Name }>['credentials'];

/** The gateway's part of a product; `infra/service/products.ts` lists them. */
export interface GatewayProduct<Name extends Product = Product> extends ProductReads {
  readonly name: Name;
  /** The authenticators of the credentials that it adds. */
  readonly authenticators: Pick<Authenticators, CallerOf<Name>>;
  readonly routes: readonly Route[];
}
