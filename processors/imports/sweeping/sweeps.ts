// Reads: the imports of previews. Writes: nothing; it says which commands tidy up.

import type { JsonObject } from '../../../schemas/base/json.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { importsCommands } from '../../../schemas/imports/commands.ts';
import { timelineDocumentSchema } from '../../../schemas/imports/documents.ts';
import { importProduct } from '../../../schemas/imports/product.ts';
import type { Limits } from '../../../schemas/limits.ts';
import type { Subscription } from '../../../topics/ports/log.ts';
import type { ProcessorDependencies } from '../../runtime/dependencies.ts';
import type { CommandEffect } from '../../runtime/fold/fold.ts';
import { previewSweep } from '../../runtime/sweeps/preview-sweep.ts';
import { type Sweep, sweepSubscription } from '../../runtime/sweeps/sweeper.ts';

/** Imports end by themselves, and what was struck off the lists of a schema has ended long before. */
function retentionSweep(limits: Limits): Sweep<typeof importsCommands> {
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
  const previews = previewSweep(importProduct, engines, limits, async (list, installationId) => {
    const [timeline, schemas] = await Promise.all([list('timeline'), list('schema')]);
    return [
      ...timeline.map(({ document }) =>
        tidyImport(installationId, readStored(timelineDocumentSchema, document).importId),
      ),
      ...schemas.map(({ id }) => tidySchema(installationId, id)),
    ];
  });
  return [sweepSubscription(previews, engines), sweepSubscription(retentionSweep(limits), engines)];
}
