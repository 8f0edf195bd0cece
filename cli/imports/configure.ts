import { z } from 'zod';
import { digestOf } from '../../schemas/base/digest.ts';
import { idSchema } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { readJsonFile, sourcePath } from '../input/json-file.ts';
import type { Options } from '../options.ts';
import { facts } from '../output/blocks.ts';
import { openProject, tellReceiver } from '../project.ts';
import { rememberSchema, schemaNamed } from '../state/schema-names.ts';

/** The members that every version asks for, so that one message names all that are missing. The service checks their values. */
const fileSchema = z.looseObject({
  schemaId: idSchema('schema').optional(),
  name: z.string(),
  allowedOrigins: z.array(z.unknown()),
  schema: z.looseObject({
    version: z.string(),
    revision: z.int().positive(),
    fields: z.array(z.looseObject({ key: z.string(), type: z.string(), required: z.boolean() })),
  }),
});

/** The output of `import configure`. */
export const configureOutput = z.object({
  schemaId: z.string(),
  revision: z.number(),
  configuration: z.record(z.string(), z.unknown()).describe('as the service keeps it'),
  createdAt: z.string(),
});

/** Creates a schema or its next revision. */
export async function configureSchema(context: CommandContext, options: Options): Promise<Outcome> {
  const { access, folder, post } = openProject(context, ['svc', 'help', 'import', 'configure']);
  const path = sourcePath(options.text('config'));
  const { schemaId: namedId, ...configuration } = await readJsonFile(path, fileSchema, context);
  const { name, schema } = configuration;
  const schemaId = namedId ?? (folder === null ? null : schemaNamed(folder, name));
  if (schema.revision > 1 && schemaId === null) {
    throw usageFailure(
      'The revision is above 1, and this directory has configured no schema of that name. Add schemaId to the file.',
    );
  }
  tellReceiver(context, path, access.baseUrl);
  const data = await post(`/svcimport/schemas${schemaId === null ? '' : `/${schemaId}`}`, configureOutput, {
    version: 'svcimport.configure.v1',
    idempotencyKey: `cli-${digestOf([schemaId, configuration])}`,
    configuration: configuration as JsonObject,
  });
  if (folder !== null) await rememberSchema(folder, context, { name, schemaId: data.schemaId });
  const { revision, createdAt } = data;
  return {
    data: data as JsonObject,
    blocks: [facts(['schema', data.schemaId], ['revision', String(revision)], ['created', createdAt])],
    next: [
      'svc',
      'import',
      'upload',
      '--schema',
      data.schemaId,
      '--revision',
      String(revision),
      '--file',
      'FILE',
    ],
  };
}
