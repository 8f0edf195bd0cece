// Reads: the imports of previews. Writes: nothing; it says which commands tidy up.

import { stateOf } from '../../../schemas/base/aggregate-root.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { importsCommands } from '../../../schemas/imports/commands.ts';
import { importsRootSchema, timelineDocumentSchema } from '../../../schemas/imports/documents.ts';
import type { Limits } from '../../../schemas/limits.ts';
import type { Subscription } from '../../../topics/ports/log.ts';
import type { AggregateRef, Row, Store } from '../../../topics/ports/store.ts';
import type { ProcessorDependencies } from '../../runtime/dependencies.ts';
import type { CommandEffect } from '../../runtime/fold.ts';
import { type Sweep, sweepSubscription } from '../../runtime/sweeper.ts';

type ImportsSweep = Sweep<typeof importsCommands>;

/** A preview ends with everything in it. */
function previewSweep(
  { store, clock }: Pick<ProcessorDependencies, 'store' | 'clock'>,
  limits: Limits,
): ImportsSweep {
  return {
    topic: 'imports',
    commands: importsCommands,
    name: 'previews',
    types: ['lifecycle'],
    delayMs: limits.workspace.previewMs,
    due: async (command, installationId) =>
      command.type === 'lifecycle' && command.input.expiresAt !== null
        ? await tidyPreview(store, installationId, clock.now())
        : [],
  };
}

/** Imports end by themselves, and what was struck off the lists of a schema has ended long before. */
function retentionSweep(limits: Limits): ImportsSweep {
  return {
    topic: 'imports',
    commands: importsCommands,
    name: 'retention',
    types: ['reserve-import', 'import-uploaded', 'create-capability', 'mint-session'],
    delayMs: limits.imports.retentionMs,
    due: async (command, installationId) => {
      switch (command.type) {
        case 'reserve-import':
        case 'import-uploaded':
          return [tidyImport(installationId, command.input.importId)];
        case 'create-capability':
        case 'mint-session':
          return [tidySchema(installationId, command.input.schemaId)];
        default:
          return [];
      }
    },
  };
}

/** Rows of one kind that are listed of a preview: many times what its limits allow. */
const LISTED_MAX = 1_000;

/** Everything in a preview that has ended; nothing where a claim has lifted the end. */
async function tidyPreview(
  store: Pick<Store, 'read' | 'list'>,
  installationId: string,
  now: number,
): Promise<CommandEffect[]> {
  const aggregate: AggregateRef = { table: 'imports', id: installationId };
  const { root } = await store.read(aggregate, []);
  const state = root === null ? null : stateOf(root.document);
  const lifecycle = state === null ? null : readStored(importsRootSchema, state).lifecycle;
  if (lifecycle === null || lifecycle.expiresAt === null || now < lifecycle.expiresAt) return [];
  const list = (kind: string): Promise<Row[]> => store.list(aggregate, kind, { limit: LISTED_MAX });
  const [timeline, schemas] = await Promise.all([list('timeline'), list('schema')]);
  return [
    ...timeline.map(({ document }) =>
      tidyImport(installationId, readStored(timelineDocumentSchema, document).importId),
    ),
    ...schemas.map(({ id }) => tidySchema(installationId, id)),
  ];
}

function tidyImport(installationId: string, importId: string): CommandEffect {
  return tidy(installationId, 'tidy-import', { importId });
}

function tidySchema(installationId: string, schemaId: string): CommandEffect {
  return tidy(installationId, 'tidy-schema', { schemaId });
}

function tidy(installationId: string, type: string, input: JsonObject): CommandEffect {
  return { kind: 'command', topic: 'imports', key: installationId, type, input };
}

/** The sweeps that remove data of imports, capabilities and sessions that have ended. */
export function sweepSubscriptions(
  engines: Pick<ProcessorDependencies, 'store' | 'log' | 'clock' | 'logger'>,
  limits: Limits,
): Subscription[] {
  return [previewSweep(engines, limits), retentionSweep(limits)].map((sweep) =>
    sweepSubscription(sweep, engines),
  );
}
