/** The sign-in of a person without a password here. */
export function SingleSignOn() {
  return (
    <section aria-labelledby="single-sign-on">
      <div class="section-head">
        <h2 id="single-sign-on">Sign-in</h2>
      </div>
      <div class="panel panel-body">
        <p>You sign in by single sign-on, so you have no password here.</p>
        <p class="hint">
          Change your password at your single sign-on provider. Your e-mail here is the one that it gave at
          your first sign-in.
        </p>
      </div>
    </section>
  );
}
