import { importStatusAnswer } from '../../schemas/imports/status.ts';
import type { GatewayServices } from '../http/services.ts';
import type { LoadedImport } from './load-import.ts';

/** ImportStatus of an import as it is now. */
export function statusAnswer(
  { limits }: Pick<GatewayServices, 'limits'>,
  { importId, document, effective }: LoadedImport,
) {
  return importStatusAnswer(importId, document, effective, limits);
}
