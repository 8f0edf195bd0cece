import { credential } from '../workspaces/credential.ts';
import { capabilityTargetSchema, importSessionTargetSchema, uploadTokenTargetSchema } from './documents.ts';

interface UploadCaller {
  readonly owned: { readonly importId: string };
  /** The origin of the browser session, or of the console, that the import belongs to; null for an agent's, which no page may read. */
  readonly origin: string | null;
}

interface CapabilityCaller {
  readonly owned: { readonly schemaId: string };
}

interface SessionCaller extends CapabilityCaller {
  readonly origin: string;
  readonly sessionDigest: string;
  readonly schemaRevision: number;
  readonly delegateApproval: boolean;
  /** Its own end in Unix milliseconds; the preview's end bounds it too. */
  readonly endsAt: number;
  /** The imports that it made: all that it may use. */
  readonly importIds: readonly string[];
}

/** The credentials that CSV import adds, by the kind of caller. */
export const importCredentials = {
  upload: credential<UploadCaller>()({
    secret: 'upload',
    indexKind: 'upload-token',
    target: uploadTokenTargetSchema,
    label: 'upload token',
    description: "The right to send one import's bytes.",
    actor: 'agent',
    pages: 'sometimes',
    // Each import has its own upload token.
    countedBy: 'installation',
  }),
  capability: credential<CapabilityCaller>()({
    secret: 'capability',
    indexKind: 'capability',
    target: capabilityTargetSchema,
    label: 'backend capability',
    description: "The customer's backend, limited to one import schema and one origin.",
    actor: 'capability',
    pages: 'never',
    useOf: (capabilityId) => ({ type: 'capability-used', input: { capabilityId } }),
  }),
  session: credential<SessionCaller>()({
    secret: 'import',
    indexKind: 'import-session',
    target: importSessionTargetSchema,
    label: 'browser import session',
    description: 'A browser that imports one file, on a page of one origin.',
    actor: 'session',
    pages: 'always',
  }),
};
