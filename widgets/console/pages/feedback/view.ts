import type { SubmissionState } from './queries.ts';
import { LISTED_STATES } from './submission-state.ts';

/** The choices of the page, all in its address. */
export interface View {
  /** The widget whose inbox is shown; null: the first one. */
  readonly widgetId: string | null;
  /** Null: every state. */
  readonly state: SubmissionState | null;
  /** The submission that is open. */
  readonly submissionId: string | null;
  /** The widget whose tags are open; `none`: of no widget; null: the page decides. */
  readonly tagsOf: string | null;
}

/** Reads the choices. Without a state, and with one that there is not, the submissions to be read are listed. */
export function viewOf(params: URLSearchParams): View {
  const state = params.get('state');
  return {
    widgetId: params.get('widget'),
    state: state === 'all' ? null : (LISTED_STATES.find((each) => each === state) ?? 'open'),
    submissionId: params.get('submission'),
    tagsOf: params.get('tags'),
  };
}

/** The query of the address with some choices changed; null takes a choice away. */
export function withView(
  params: URLSearchParams,
  changes: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** The `state` of an address. The state that is shown without one is left out. */
export function stateParam(state: SubmissionState | null): string | null {
  if (state === null) return 'all';
  return state === 'open' ? null : state;
}
