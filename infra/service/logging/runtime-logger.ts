import type { Logger } from 'pino';
import { describeError } from '../../../gateway/http/server/logging.ts';
import type { RuntimeLogger } from '../../../processors/runtime/dependencies.ts';

/** The processors' view of the process's logger: an error under `err` is cut down to what may be kept of it. */
export function runtimeLogger(logger: Logger): RuntimeLogger {
  const safe = (fields: object): object =>
    'err' in fields ? { ...fields, err: describeError(fields.err) } : fields;
  return {
    info: (fields, message) => logger.info(safe(fields), message),
    warn: (fields, message) => logger.warn(safe(fields), message),
    error: (fields, message) => logger.error(safe(fields), message),
  };
}
