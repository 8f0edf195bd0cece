import { z } from 'zod';
import { activateProduct } from './activate/product.ts';
import { checksProduct } from './checks/product.ts';
import { feedbackProduct } from './feedback/product.ts';
import { importProduct } from './imports/product.ts';
import type { ProductCounter } from './workspaces/product.ts';

/** The only list of the products of a workspace: those to opt into, and those that every workspace has. */
export const PRODUCTS = [importProduct, activateProduct, checksProduct, feedbackProduct] as const;

/** A declared product. */
export type AnyProduct = (typeof PRODUCTS)[number];

type AnyOptIn = Extract<AnyProduct, { readonly optIn: true }>;

export type Product = AnyProduct['name'];

export const productSchema = named('Product', PRODUCTS.map(({ name }) => name).sort());

export type OptIn = AnyOptIn['name'];

/** Products that a workspace opts into when it is created. */
export const optInSchema = named(
  'OptIn',
  PRODUCTS.filter(isOptIn)
    .map(({ name }) => name)
    .sort(),
);

function named<Name extends Product>(id: string, names: readonly Name[]) {
  const titles = names.map((each) => {
    const title = PRODUCTS.find(({ name }) => name === each)?.title;
    return `\`${each}\`: ${title}.`;
  });
  return z.enum(names).meta({ id, description: titles.join(' '), example: 'svcimport' });
}

function isOptIn(product: AnyProduct): product is AnyOptIn {
  return product.optIn;
}

const ALWAYS_ON: readonly Product[] = PRODUCTS.filter(({ optIn }) => !optIn).map(({ name }) => name);

/** True if a workspace with these opt-ins has a product. */
export function hasProduct(optIns: readonly Product[], name: Product): boolean {
  return ALWAYS_ON.includes(name) || optIns.includes(name);
}

type KeyOf<Union> = Union extends unknown ? keyof Union & string : never;

/** The name of a count in the inventory of a workspace. */
export type CounterName = KeyOf<AnyProduct['counters']>;

/** The name of a topic of work items of a product. */
export type WorkTopicName = KeyOf<AnyProduct['works']>;

/** A value of each count in the inventory of a workspace, by its name. */
export function mapCounters<Value>(map: (counter: ProductCounter) => Value): Record<CounterName, Value> {
  const counters = Object.entries<ProductCounter>(combineProducts((product) => product.counters));
  const mapped = counters.map(([name, counter]) => [name, map(counter)]);
  return Object.fromEntries(mapped);
}

type Intersected<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The members that every product adds to an object, as one object in the order of the list. */
export function combineProducts<Members extends object>(membersOf: (product: AnyProduct) => Members) {
  return Object.assign({}, ...PRODUCTS.map(membersOf)) as Intersected<Members>;
}

/** The credentials that products add, by the kind of caller. */
export const CREDENTIALS = combineProducts(({ credentials }) => credentials);

type AnyCredential = (typeof CREDENTIALS)[keyof typeof CREDENTIALS];

/** A kind of index entries that lead from credentials of a product to their targets. */
export type CredentialIndexKind = AnyCredential['indexKind'];

/** The word after `svc_` in a bearer secret. */
export type SecretKind =
  | 'project'
  | 'provision'
  | 'claim'
  | 'session'
  | 'setup'
  | 'invite'
  | 'reset'
  | NonNullable<AnyCredential['secret']>;
