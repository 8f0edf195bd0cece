import { State } from '../table/state.tsx';

/** Tells whether a workspace has proved that it controls an origin. */
export function ProofState({ isProved }: { readonly isProved: boolean }) {
  return isProved ? (
    <State tone="ok" title="The workspace has proved that it controls this origin.">
      Proved
    </State>
  ) : (
    <State
      tone="idle"
      title="Anyone can name an origin: its pages may be another company’s. A browser check proves it."
    >
      Not proved
    </State>
  );
}
