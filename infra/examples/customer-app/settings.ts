import { z } from 'zod';

const settingsSchema = z.object({
  APP_PORT: z.coerce.number().int().min(1).max(65_535).default(8790),
  /** The application's own address, as browsers see it. */
  APP_ORIGIN: z.url().optional(),
  APP_DATA_FILE: z.string().min(1),
  /** Keys the digests that stand for users. Another one makes strangers of all of them. */
  APP_SUBJECT_SECRET: z.string().min(32),
  /** A folder whose files are published below `/.well-known/`, such as the proof of this origin for browser checks. */
  APP_WELL_KNOWN_FOLDER: z.string().min(1).optional(),
  SVC_URL: z.url(),
  SVC_INSTALLATION_ID: z.string(),
  SVC_WORKSPACE_ID: z.string(),
  /** `svc_project_…`: installed through your secret management, never part of a page. */
  SVC_PROJECT_CREDENTIAL: z.string().startsWith('svc_project_'),
  SVC_CHECKLIST_ID: z.string(),
  SVC_COHORT: z.enum(['test', 'live']).default('test'),
  /** The feedback widget. Its id is no secret: the service takes feedback from pages of its origin only. */
  SVC_WIDGET_ID: z.string(),
  SVC_SCHEMA_ID: z.string(),
  /** `svc_capability_…`, which an owner makes in the console. */
  SVC_CAPABILITY: z.string().startsWith('svc_capability_'),
});

export type Settings = Omit<z.infer<typeof settingsSchema>, 'APP_ORIGIN'> & { readonly APP_ORIGIN: string };

/** @throws {Error} naming each variable that is missing or wrong. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const read = settingsSchema.safeParse(environment);
  if (!read.success) {
    const names = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`reading the settings: ${names.join('; ')}`);
  }
  return { ...read.data, APP_ORIGIN: read.data.APP_ORIGIN ?? `http://127.0.0.1:${read.data.APP_PORT}` };
}
