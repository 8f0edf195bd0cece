import { useEffect, useState } from 'preact/hooks';

/** The kinds of one-time links that open a page for a person. */
type LinkKind = 'set-up' | 'invitation' | 'reset';

/** A link that was opened. */
interface Opening {
  /** Counts the links that were opened while the page is shown: the form of each is another one. */
  readonly number: number;
  readonly code: string | null;
}

/**
 * The code of a one-time link, from the fragment of the address, or null. It leaves the address at once, so that neither the
 * history nor a copied address has it. The tab keeps it, because single sign-on leaves the page in between.
 */
export function useLinkCode(kind: LinkKind): Opening {
  const [opening, setOpening] = useState(() => ({ number: 1, code: takeCode(kind) }));
  useEffect(() => {
    // A link to the page that is open changes only the fragment.
    const onChange = () => {
      if (location.hash === '') return;
      const code = takeCode(kind);
      setOpening(({ number }) => ({ number: number + 1, code }));
    };
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, [kind]);
  return opening;
}

/** Forgets the code of a link that was used. */
export function forgetCode(kind: LinkKind): void {
  inStorage(() => sessionStorage.removeItem(nameOf(kind)));
}

function takeCode(kind: LinkKind): string | null {
  const given = decoded(location.hash.slice(1)).trim();
  if (given === '') return inStorage(() => sessionStorage.getItem(nameOf(kind))) ?? null;
  history.replaceState(history.state, '', location.pathname + location.search);
  inStorage(() => sessionStorage.setItem(nameOf(kind), given));
  return given;
}

/** A browser that stores nothing keeps the code until the page is left. */
function inStorage<Kept>(use: () => Kept): Kept | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/** Some programs escape what follows `#`. A text that is no escaped one is a wrong code, which the service refuses. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function nameOf(kind: LinkKind): string {
  return `svc-code-${kind}`;
}
