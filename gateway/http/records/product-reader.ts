import type { z } from 'zod';
import type { TableName } from '../../../topics/catalogue.ts';
import type { AggregateRef, ListOptions, Store } from '../../../topics/ports/store.ts';
import { readAggregate } from './read-aggregate.ts';
import { type Readings, type ReadRow, readRows } from './readings.ts';

/** The part of a product's declaration that its readers need. */
interface StoredProduct<Root, Rows> {
  readonly topic: TableName;
  readonly root: { readonly schema: z.ZodType<Root>; readonly empty: Root };
  readonly rows: { readonly [Kind in keyof Rows]: z.ZodType<Rows[Kind]> };
}

type Reader = Pick<Store, 'read'>;

/** A list of rows with the ids of all of them, by which a list is continued. */
export interface Listed<Document> extends Readings<ReadRow<Document>> {
  readonly ids: readonly string[];
}

/** Declares the reads of a product's aggregates, of which each installation has one. */
export function productReader<Root, Rows>({ topic, root, rows }: StoredProduct<Root, Rows>) {
  type Kind = keyof Rows & string;

  function aggregate(installationId: string): AggregateRef {
    return { table: topic, id: installationId };
  }

  /** Reads the root, empty before anything was folded, and some rows as of one moment. */
  async function read(
    store: Reader,
    installationId: string,
    keys: readonly { readonly kind: Kind; readonly id: string }[] = [],
  ) {
    const reading = await readAggregate(store, aggregate(installationId), root.schema, keys);
    return {
      root: reading.root ?? root.empty,
      /** A row's document, or null when there is none. */
      row: <Of extends Kind>(kind: Of, id: string): Rows[Of] | null => reading.row(kind, id, rows[kind]),
      /** Rows of one kind in the order of their ids, without those that do not exist. */
      rows: <Of extends Kind>(kind: Of, ids: readonly string[]): Readings<ReadRow<Rows[Of]>> =>
        reading.rows(kind, ids, rows[kind]),
    };
  }

  return {
    aggregate,
    read,
    /** Reads one row's document, or null when there is none. */
    async row<Of extends Kind>(store: Reader, installationId: string, kind: Of, id: string) {
      const { row } = await read(store, installationId, [{ kind, id }]);
      return row(kind, id);
    },
    /** Reads rows of one kind as of one moment, in the order of their ids, without those that do not exist. */
    async rows<Of extends Kind>(
      store: Reader,
      installationId: string,
      kind: Of,
      ids: readonly string[],
    ): Promise<Readings<ReadRow<Rows[Of]>>> {
      if (ids.length === 0) return { found: [], unreadable: [] };
      const keys = ids.map((id) => ({ kind, id }));
      return (await read(store, installationId, keys)).rows(kind, ids);
    },
    /** Lists rows of one kind, ordered by the bytes of their ids. */
    async list<Of extends Kind>(
      store: Pick<Store, 'list'>,
      installationId: string,
      kind: Of,
      options: ListOptions,
    ): Promise<Listed<Rows[Of]>> {
      const listed = await store.list(aggregate(installationId), kind, options);
      return { ...readRows(rows[kind], listed), ids: listed.map(({ id }) => id) };
    },
  };
}
