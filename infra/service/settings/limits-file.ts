// Reads: the operator's limits file.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { DEFAULT_LIMITS, type Limits, mergeLimits } from '../../../schemas/limits.ts';
import { SettingsError } from './settings.ts';

/**
 * The effective limits: the defaults, with the file merged over them where there is one.
 *
 * @throws {SettingsError} naming the file, and the member that is unknown or not allowed.
 */
export function loadLimits(file: string | null): Limits {
  if (file === null) return DEFAULT_LIMITS;
  try {
    return mergeLimits(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof z.ZodError) {
      const lines = error.issues.map(
        (issue) => `SVC_LIMITS_FILE: ${issue.path.join('..')}: ${issue.message}`,
      );
      throw new SettingsError(lines.join('\n'));
    }
    throw new SettingsError(`SVC_LIMITS_FILE: seen ${file}; expected a readable JSON file`);
  }
}
