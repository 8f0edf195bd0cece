import { type Api, type ImportStatus, refusedBy } from './api.ts';

/** The pause between two looks at an import. */
const LOOK_MS = 700;
/** Looks without an answer, one after the other, before the user is told. */
const LOST_LOOKS_MAX = 5;

/** Looks at an import until there is an answer, or several looks had none. @throws {Refused} */
export async function lookAt(api: Api, importId: string): Promise<ImportStatus> {
  const look = () => api.get<ImportStatus>(`/imports/${importId}`);
  for (let lost = 0; lost < LOST_LOOKS_MAX; lost += 1) {
    try {
      return await look();
    } catch (error) {
      if (!refusedBy(error).isPassing) throw error;
      await pause();
    }
  }
  return await look();
}

export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}
