import type { Send, Session } from './api.ts';
import type { FixModules } from './load-fix.ts';
import type { SvcImportOptions } from './svcimport-widget.d.ts';

/** Everything in which pages differ that let a user import. */
export interface FlowOptions
  extends Pick<
    SvcImportOptions,
    'workspaceId' | 'schemaId' | 'sessionToken' | 'maxBytes' | 'renewSession' | 'confirmLeave' | 'keepFile'
  > {
  /** The session, where the page knows it; otherwise it is read. */
  readonly session?: Session;
  /** Sends requests with a session's token. */
  readonly sendAs: (sessionToken: string) => Send;
  readonly modules: FixModules;
  /** Shows an import whose rows are being checked, where the page has its own view of that. */
  readonly onChecking?: (importId: string) => void;
}
