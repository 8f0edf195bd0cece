import type { Schemas } from '../../api/interface.ts';
import type { Tone } from '../table/state.tsx';

type WorkspaceState = Schemas['WorkspaceState'];

/** The look of each state of a workspace: its word, its tone, and cause and cure for the tooltip. */
export const WORKSPACE_STATES: Readonly<
  Record<WorkspaceState, { readonly word: string; readonly tone: Tone; readonly about: string }>
> = {
  preview: { word: 'Preview', tone: 'info', about: 'It ends by itself. Claim it to keep it.' },
  active: {
    word: 'Active',
    tone: 'ok',
    about: 'Events, sessions and runs are accepted. Pause it under Danger.',
  },
  paused: {
    word: 'Paused',
    tone: 'idle',
    about: 'New events, sessions and uploads get 403. Resume it to continue.',
  },
  expired: { word: 'Expired', tone: 'idle', about: 'The preview ended before it was claimed.' },
  disconnected: { word: 'Disconnected', tone: 'idle', about: 'Collection and agent access ended for good.' },
};
