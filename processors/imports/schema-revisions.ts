import { digestOf } from '../../schemas/base/digest.ts';
import type { ImportConfiguration } from '../../schemas/imports/configuration.ts';
import type { SchemaDocument } from '../../schemas/imports/documents.ts';
import { schemaRevisionRowId } from '../../schemas/imports/row-ids.ts';
import { refusedFor } from '../runtime/fold/results.ts';

/** The outcome of configuring a schema. */
export function revisionDone(schemaId: string, revision: number, createdAt: number) {
  return { kind: 'done', result: { schemaId, revision, createdAt } } as const;
}

/** The outcome of a new revision, and the rows that make it current. `kept`: what outlives revisions. */
export function configured(
  { schemaId, configuration }: { readonly schemaId: string; readonly configuration: ImportConfiguration },
  kept: Pick<SchemaDocument, 'createdAt' | 'capabilities'>,
  { revision, now }: { readonly revision: number; readonly now: number },
) {
  const { name, allowedOrigins } = configuration;
  const { createdAt, capabilities } = kept;
  const document = { name, revision, allowedOrigins, createdAt, updatedAt: now, capabilities };
  const stored = { configuration, digest: digestOf(configuration), createdAt: now };
  return {
    outcome: revisionDone(schemaId, revision, now),
    put: [
      { kind: 'schema' as const, id: schemaId, document },
      { kind: 'schema-revision' as const, id: schemaRevisionRowId(schemaId, revision), document: stored },
    ],
  };
}

/** The refusal of a configuration with another number than that of the next revision. */
export function revisionConflict(expected: string) {
  return refusedFor('revision_conflict', {
    at: 'body.configuration.schema.revision',
    seen: 'another number',
    expected,
  });
}
