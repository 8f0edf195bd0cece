import { z } from 'zod';
import { activateProduct } from './activate/product.ts';
import { importProduct } from './imports/product.ts';

/** The only list of the products that a workspace can opt into. */
export const PRODUCTS = [importProduct, activateProduct] as const;

/** A declared product. */
export type AnyProduct = (typeof PRODUCTS)[number];

/** The name of a product, as an opt-in. */
export type Product = AnyProduct['name'];

/** Products that a workspace opts into when it is created. */
export const productSchema = z.enum(PRODUCTS.map(({ name }) => name).sort());

type KeyOf<Union> = Union extends unknown ? keyof Union & string : never;

/** The name of a count in the inventory of a workspace. */
export type CounterName = KeyOf<AnyProduct['counters']>;

/** Everything about the counts of all products, in the order of the list, by their names. */
export function mapCounters<Value>(
  map: (counter: AnyCounter, product: AnyProduct) => Value,
): Record<CounterName, Value> {
  const entries = PRODUCTS.flatMap((product) =>
    Object.entries<AnyCounter>(product.counters).map(([name, counter]) => [name, map(counter, product)]),
  );
  return Object.fromEntries(entries);
}

interface AnyCounter {
  /** The member of the product's root that has it. */
  readonly member: string;
  readonly description: string;
  readonly example: number;
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
