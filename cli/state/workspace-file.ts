import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { secretSchema } from '../../schemas/base/secrets.ts';
import type { PrivateFolder } from './private-folder.ts';

const NAME = 'workspace.json';

/** The input of a creation. A repeat with the same token has to send the same. */
const creationSchema = z.object({
  name: z.string(),
  cohort: z.enum(['external', 'dogfood']),
  products: z.array(z.string()),
});

export type Creation = z.infer<typeof creationSchema>;

/** The content of the file, secrets included. */
const workspaceFileSchema = z.object({
  format: z.literal(1),
  baseUrl: z.url(),
  creation: creationSchema,
  /** Written before the request that creates the workspace, so that a repeat finds the same workspace. */
  provisionToken: secretSchema('provision'),
  /** Null until the service has answered. */
  workspace: z
    .object({
      workspaceId: idSchema('workspace'),
      installationId: idSchema('installation'),
      credential: secretSchema('project'),
    })
    .nullable(),
});

export type WorkspaceFile = z.infer<typeof workspaceFileSchema>;

/**
 * Reads what the folder knows of its workspace, or returns null if it knows none.
 *
 * @throws {CommandFailure} if the file has another form, or others may open it
 */
export function readWorkspaceFile(folder: PrivateFolder): WorkspaceFile | null {
  const text = folder.read(NAME);
  if (text === null) return null;
  try {
    return workspaceFileSchema.parse(JSON.parse(text));
  } catch {
    throw folder.damaged(NAME);
  }
}

export function writeWorkspaceFile(folder: PrivateFolder, file: WorkspaceFile): void {
  folder.write(NAME, `${JSON.stringify(file, null, 2)}\n`);
}

export function removeWorkspaceFile(folder: PrivateFolder): void {
  folder.remove(NAME);
}
