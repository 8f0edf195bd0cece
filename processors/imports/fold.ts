import { importProduct } from '../../schemas/imports/product.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { IndexKind } from '../../topics/ports/digest-index.ts';
import type { AnyFold, Effect } from '../runtime/fold/fold.ts';
import { defineProductFold } from '../runtime/fold/product-fold.ts';
import { acknowledgeBatch } from './commands/acknowledge-batch.ts';
import { approveImport } from './commands/approve-import.ts';
import { capabilityUsed, createCapability, revokeCapability } from './commands/capabilities.ts';
import { cancelImport, eraseImport, tidyImport } from './commands/end-import.ts';
import { forgetAttempt } from './commands/forget-attempt.ts';
import { importUploaded } from './commands/import-uploaded.ts';
import { mapImport } from './commands/map-import.ts';
import { mintSession } from './commands/mint-session.ts';
import { partitionValidated } from './commands/partition-validated.ts';
import { reserveImport } from './commands/reserve-import.ts';
import { createSchema, reviseSchema, tidySchema } from './commands/schemas.ts';
import { splitFailed, splitFinished } from './commands/split-finished.ts';
import { validateImport } from './commands/validate-import.ts';
import { workFailed } from './commands/work-failed.ts';
import { purgeBytes } from './ending.ts';
import type { ImportsFold } from './imports-fold.ts';

/** The fold of CSV imports: one aggregate an installation. */
export function createImportsFold(limits: Limits): AnyFold {
  return defineProductFold<ImportsFold>(importProduct, {
    limits,
    erases: {
      import: (document, importId, context) => purgeBytes({ context, limits }, importId, document),
      capability: (capability) => endEntry('capability', capability),
      'schema-sessions': ({ sessions = [] }) =>
        sessions.flatMap((session) => endEntry('import-session', session)),
    },
    handlers: {
      'create-schema': createSchema,
      'revise-schema': reviseSchema,
      'create-capability': createCapability,
      'capability-used': capabilityUsed,
      'revoke-capability': revokeCapability,
      'mint-session': mintSession,
      'reserve-import': reserveImport,
      'import-uploaded': importUploaded,
      'map-import': mapImport,
      'validate-import': validateImport,
      'split-finished': splitFinished,
      'split-failed': splitFailed,
      'partition-validated': partitionValidated,
      'work-failed': workFailed,
      'approve-import': approveImport,
      'cancel-import': cancelImport,
      'erase-import': eraseImport,
      'tidy-import': tidyImport,
      'tidy-schema': tidySchema,
      'forget-attempt': forgetAttempt,
      'acknowledge-batch': acknowledgeBatch,
    },
  });
}

function endEntry(
  kind: IndexKind,
  { digest, endsAt }: { readonly digest?: string; readonly endsAt?: number },
): Effect[] {
  if (digest === undefined || endsAt === undefined) return [];
  return [{ kind: 'index', entry: { kind, digest, target: null, expiresAt: endsAt } }];
}
