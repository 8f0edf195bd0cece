interface SingleSignOnLinkProps {
  /** The address of the console that opens after the sign-in. */
  readonly returnTo: string;
  readonly isPrimary?: boolean;
  /** True where the page has to stay as it is. */
  readonly inNewTab?: boolean;
  /** True if the provider asks which account to use. */
  readonly withOtherAccount?: boolean;
}

/** Leads to the identity provider, which leads back. */
export function SingleSignOnLink({
  returnTo,
  isPrimary = false,
  inNewTab = false,
  withOtherAccount = false,
}: SingleSignOnLinkProps) {
  const query = new URLSearchParams({ return: returnTo, ...(withOtherAccount && { account: 'other' }) });
  return (
    <a
      class={isPrimary ? 'btn primary large wide' : 'btn large wide'}
      href={`/v1/console/oidc/start?${query}`}
      {...(inNewTab && { target: '_blank', rel: 'noopener' })}
    >
      Continue with single sign-on
    </a>
  );
}

/** Single sign-on below a form that does the same in another way. */
export function OrSingleSignOn(link: Pick<SingleSignOnLinkProps, 'returnTo' | 'withOtherAccount'>) {
  return (
    <>
      <p class="or">
        <span>or</span>
      </p>
      <SingleSignOnLink {...link} />
    </>
  );
}
