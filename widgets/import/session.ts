import { type Api, Refused, type Session } from './api.ts';
import type { FlowOptions } from './flow-options.ts';

/** Statuses with which an import is over, so that a new one begins. */
const OVER = ['reserved', 'failed', 'cancelled', 'expired', 'erased', 'approved', 'delivered'];

/** Reads the session, unless the page knows it, with the limits of the page. @throws {Refused} also for the session of another schema */
export async function readSession(
  api: Api,
  { session, workspaceId, schemaId, maxBytes }: FlowOptions,
): Promise<Session> {
  const read = session ?? (await api.get<Session>(''));
  if (read.workspaceId !== workspaceId || read.schemaId !== schemaId) throw new Refused(403, '', '');
  return { ...read, maxBytes: Math.min(read.maxBytes, maxBytes) };
}

/** The id of the import that this session has started and not ended, or null. */
export function underWayIn({ imports: [latest] }: Session): string | null {
  return latest === undefined || OVER.includes(latest.status) ? null : latest.importId;
}
