const CODE = /svc_claim_[0-9A-Za-z]{40}/;

/** The place of the code while a person signs in. It ends with the tab, and no request carries it but the claim's own. */
const KEY = 'svc-claim';

/** A claim that is under way in this tab. */
export interface PendingClaim {
  readonly code: string;
  /** The confirm code as far as it was typed. */
  readonly confirm: string;
}

/** The code in a pasted link, or null. */
export function codeInLink(link: string): string | null {
  return CODE.exec(link)?.[0] ?? null;
}

/**
 * Takes the code out of the address: from then on it is in this tab's storage only, and neither the history nor a copied
 * address has it. Without a code in the address the claim that is under way continues.
 */
export function takeClaim(): PendingClaim | null {
  const code = codeInLink(location.hash);
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  const kept = keptClaim();
  if (code === null || code === kept?.code) return kept;
  const begun = { code, confirm: '' };
  keepClaim(begun);
  return begun;
}

/** Keeps the claim for the way through the sign-in; null forgets it. */
export function keepClaim(claim: PendingClaim | null): void {
  try {
    if (claim === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(claim));
  } catch {
    // A browser that stores nothing keeps the claim until the page is left.
  }
}

/** Forgets the claim with this code, if it is the one that is under way. */
export function forgetClaim(code: string): void {
  if (keptClaim()?.code === code) keepClaim(null);
}

function keptClaim(): PendingClaim | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    return isClaim(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isClaim(value: unknown): value is PendingClaim {
  if (typeof value !== 'object' || value === null) return false;
  const { code, confirm } = value as Record<string, unknown>;
  return typeof code === 'string' && codeInLink(code) === code && typeof confirm === 'string';
}
