import { serviceError } from '../../../schemas/base/errors.ts';
import type { GatewayServices } from '../../http/services.ts';

/**
 * Counts an upload that is about to write bytes. Every one counts, whichever token it has and whatever becomes of it, so
 * an import never writes more than its announced length a few times over.
 *
 * @throws {ServiceError} `limit_reached` when all attempts of the import are used up.
 * @throws {EngineUnavailableError} while the counters are down: what cannot be counted is not written.
 */
export async function countAttempt(
  { counters, limits }: Pick<GatewayServices, 'counters' | 'limits'>,
  importId: string,
): Promise<void> {
  const { uploadAttempts, retentionMs } = limits.imports;
  const { allowed } = await counters.take(`uploads:${importId}`, uploadAttempts, retentionMs);
  if (allowed) return;
  throw serviceError('limit_reached', {
    at: 'import.uploadAttempts',
    seen: `all ${uploadAttempts} used`,
    expected: 'one that is left; reserve another import with another idempotencyKey',
  });
}
