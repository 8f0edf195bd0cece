import { z } from 'zod';
import { digestOf } from '../../schemas/base/digest.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { parseJson, readJsonFile, sourcePath } from '../input/json-file.ts';
import type { Options } from '../options.ts';
import { facts, table } from '../output/blocks.ts';
import { openProject, type Project, tellReceiver } from '../project.ts';
import { CHECKLIST_VERSION } from './version.ts';

/** The service checks the members. */
const configurationSchema = z.record(z.string(), z.unknown());

const stepSchema = z.object({
  key: z.string(),
  label: z.string(),
  description: z.string(),
  actionPath: z.string(),
});

/** The output of `activate create` and `activate revise`. */
export const checklistOutput = z.object({
  checklistId: z.string(),
  revision: z.number(),
  configuration: z.object({
    name: z.string(),
    allowedOrigins: z.array(z.string()),
    steps: z.array(stepSchema),
  }),
  createdAt: z.string(),
});

type Checklist = z.infer<typeof checklistOutput>;

export async function createChecklist(context: CommandContext, options: Options): Promise<Outcome> {
  const configuration = await configurationOf(context, options);
  const project = openProject(context, ['svc', 'help', 'activate', 'create']);
  tellFile(context, project, options);
  const { post } = project;
  return checklistOutcome(
    await post('/svcactivate/checklists', checklistOutput, {
      schemaVersion: CHECKLIST_VERSION,
      idempotencyKey: `cli-${digestOf(['create', configuration])}`,
      configuration,
    }),
  );
}

/** Makes the next revision of a checklist. */
export async function reviseChecklist(context: CommandContext, options: Options): Promise<Outcome> {
  const configuration = await configurationOf(context, options);
  const expectedRevision = options.number('expected-revision');
  const project = openProject(context, ['svc', 'activate', 'list']);
  tellFile(context, project, options);
  const { post } = project;
  return checklistOutcome(
    await post(`/svcactivate/checklists/${options.text('checklist')}`, checklistOutput, {
      schemaVersion: CHECKLIST_VERSION,
      idempotencyKey: `cli-${digestOf(['revise', expectedRevision, configuration])}`,
      expectedRevision,
      configuration,
    }),
  );
}

function tellFile(context: CommandContext, { access }: Project, options: Options): void {
  const file = options.optionalText('configuration');
  if (file !== null) tellReceiver(context, sourcePath(file), access.baseUrl);
}

async function configurationOf(context: CommandContext, options: Options): Promise<JsonObject> {
  const json = options.optionalText('configuration-json');
  const file = options.optionalText('configuration');
  if ((json === null) === (file === null)) {
    throw usageFailure('Expected either --configuration-json or --configuration.');
  }
  const value =
    json === null
      ? await readJsonFile(sourcePath(file ?? ''), configurationSchema, context)
      : parseJson(json, '--configuration-json', configurationSchema);
  return value as JsonObject;
}

function checklistOutcome(data: Checklist): Outcome {
  const { checklistId, revision, configuration } = data;
  const [first] = configuration.steps;
  return {
    data,
    blocks: [
      facts(['checklist', checklistId], ['revision', String(revision)], ['name', configuration.name]),
      table(
        ['step', 'label', 'path'],
        configuration.steps.map(({ key, label, actionPath }) => [key, label, actionPath]),
      ),
    ],
    next: ['svc', 'activate', 'test', '--checklist', checklistId, '--event', first?.key ?? 'STEP'],
  };
}
