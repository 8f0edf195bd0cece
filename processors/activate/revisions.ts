import type { ChecklistConfiguration } from '../../schemas/activate/configuration.ts';
import { revisionRowId } from '../../schemas/activate/documents.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import type { FoldResult } from '../runtime/fold/fold.ts';
import type { ActivateFold } from './activate-fold.ts';

type Configuring = FoldResult<ActivateFold, 'create-checklist' | 'revise-checklist'>;

interface Configured {
  readonly checklistId: string;
  readonly configuration: ChecklistConfiguration;
}

/** The result that makes a configuration the current revision of a checklist. Times are Unix milliseconds. */
export function configured(
  { checklistId, configuration }: Configured,
  {
    revision,
    createdAt,
    now,
  }: { readonly revision: number; readonly createdAt: number; readonly now: number },
): Configuring {
  const { name, allowedOrigins } = configuration;
  return {
    outcome: revisionDone(checklistId, revision, now),
    put: [
      {
        kind: 'checklist',
        id: checklistId,
        document: { name, revision, allowedOrigins, createdAt, updatedAt: now },
      },
      {
        kind: 'revision',
        id: revisionRowId(checklistId, revision),
        document: { configuration, digest: digestOf(configuration), createdAt: now },
      },
    ],
    remember: { entity: `checklist/${checklistId}` },
  };
}

/** The result of a command that sets a configuration. */
export function revisionDone(
  checklistId: string,
  revision: number,
  createdAt: number,
): Configuring['outcome'] {
  return { kind: 'done', result: { checklistId, revision, createdAt } };
}
