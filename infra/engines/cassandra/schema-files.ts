import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** One version of the schema, read from its folder `migrations/v<version>/`. */
export interface SchemaVersion {
  readonly version: number;
  /** The oldest version of the program that works with this schema and with the rows of later programs. */
  readonly lowestCompatible: number;
  /**
   * In the order of their files' names. Each can be repeated without harm. One with `{table}` is for each product's
   * table.
   */
  readonly statements: readonly string[];
}

/** The placeholder for the name of a product's table. */
const TABLE = '{table}';

const FOLDER = join(import.meta.dirname, 'migrations');

const manifestSchema = z.strictObject({
  version: z.int().positive(),
  lowestCompatible: z.int().positive(),
});

/**
 * Reads every version of the schema that this program knows, oldest first.
 *
 * @throws {Error} if the versions are not 1, 2, 3 …, each in its folder
 */
export async function readSchemaVersions(folder = FOLDER): Promise<[SchemaVersion, ...SchemaVersion[]]> {
  const names = (await readdir(folder)).filter((name) => /^v\d+$/.test(name));
  const versions = await Promise.all(names.map((name) => readSchemaVersion(folder, name)));
  const [first, ...later] = versions.sort((left, right) => left.version - right.version);
  if (first === undefined || [first, ...later].some(({ version }, index) => version !== index + 1)) {
    throw new Error(
      `reading the versions of the schema: expected v1, v2 and so on, found ${names.join(', ')}`,
    );
  }
  return [first, ...later];
}

async function readSchemaVersion(folder: string, name: string): Promise<SchemaVersion> {
  const path = join(folder, name);
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')));
  if (name !== `v${manifest.version}`)
    throw new Error(`reading the schema in ${name}: its manifest names version ${manifest.version}`);
  const files = (await readdir(path)).filter((file) => file.endsWith('.cql')).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')));
  return { ...manifest, statements: texts.flatMap(statementsOf) };
}

/** Returns the statements of a file: each ends with a semicolon, and a line that starts with `--` is a comment. */
function statementsOf(text: string): string[] {
  return text
    .replace(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** Returns the statements of a version for some tables of products, without those for the whole keyspace. */
export function tableStatements({ statements }: SchemaVersion, tables: readonly string[]): string[] {
  return tables.flatMap((table) =>
    statements.filter((text) => text.includes(TABLE)).map((text) => text.replaceAll(TABLE, table)),
  );
}

/** Returns all statements of a version, with those for products once for each table. */
export function allStatements(version: SchemaVersion, tables: readonly string[]): string[] {
  const others = version.statements.filter((text) => !text.includes(TABLE));
  return [...others, ...tableStatements(version, tables)];
}
