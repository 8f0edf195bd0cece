import type { Screenshot } from './documents.ts';

/** Every private byte of a run. Its owner is the installation. */
export function runGroup(installationId: string, runId: string) {
  return { owner: installationId, group: runId };
}

export function screenshotBlob(installationId: string, runId: string, { name }: Pick<Screenshot, 'name'>) {
  return { ...runGroup(installationId, runId), name };
}
