import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import type { Waiter } from './lock.ts';
import type { PrivateFolder } from './private-folder.ts';

const NAME = 'schemas.json';
/** Schemas that are remembered. A workspace has a few. */
const SCHEMAS_MAX = 100;

const namesSchema = z.array(z.object({ name: z.string(), schemaId: idSchema('schema') }));

/** Returns the id of the schema that was configured last with a name, or null. */
export function schemaNamed(folder: PrivateFolder, name: string): string | null {
  return read(folder).findLast((each) => each.name === name)?.schemaId ?? null;
}

/** Remembers the name of a schema. */
export async function rememberSchema(
  folder: PrivateFolder,
  waiter: Waiter,
  { name, schemaId }: { readonly name: string; readonly schemaId: string },
): Promise<void> {
  await folder.exclusively(waiter, async () => {
    const others = read(folder).filter((each) => each.schemaId !== schemaId);
    const kept = [...others, { name, schemaId }].slice(-SCHEMAS_MAX);
    folder.write(NAME, `${JSON.stringify(kept, null, 2)}\n`);
  });
}

function read(folder: PrivateFolder): z.infer<typeof namesSchema> {
  const text = folder.read(NAME);
  if (text === null) return [];
  try {
    return namesSchema.parse(JSON.parse(text));
  } catch {
    throw folder.damaged(NAME);
  }
}
