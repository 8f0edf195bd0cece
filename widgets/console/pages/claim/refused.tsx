import { problemOf } from '../../api/problem.ts';
import { mayDecide, type Session } from '../../api/session.ts';
import { CLAIM_COMMAND } from '../../parts/frame/commands.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { Command } from '../../parts/loading/empty.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { Steps } from './steps.tsx';
import { useActFor } from './use-act-for.ts';

/** The page for a member, who attaches nothing: the way to an organization of theirs, or to those who may. */
export function NotAllowed({ session }: { readonly session: Session }) {
  const { organizations, organizationId } = session;
  const name = organizations.find((each) => each.organizationId === organizationId)?.name ?? '';
  return (
    <>
      <header class="head">
        <h1>Claim a workspace</h1>
      </header>
      <Steps now="look" look="Signed in as member" />
      <p class="lede">
        An owner or admin attaches workspaces to an organization. In {visibleText(name)} you are a member:
        send the link to one of them. Your opening it has not used it up.
      </p>
      <OtherOrganizations session={session} />
      <div class="row">
        <PageLink class="btn" to="/members" isCurrent={false}>
          See who is owner or admin
        </PageLink>
      </div>
    </>
  );
}

/** A button for each other organization for which the person may look at the link. */
function OtherOrganizations({ session }: { readonly session: Session }) {
  const actFor = useActFor();
  const others = session.organizations.filter(
    ({ organizationId, role }) => organizationId !== session.organizationId && mayDecide(role),
  );
  if (others.length === 0) return null;
  return (
    <>
      <div class="row">
        {others.map(({ organizationId, name, role }) => (
          <button
            key={organizationId}
            type="button"
            class="btn primary"
            onClick={() => actFor.mutate(organizationId)}
          >
            Continue for {visibleText(name)}, as {role}
          </button>
        ))}
      </div>
      <ProblemPanel error={actFor.error} act={{ thing: 'the organization', done: 'changed' }} />
    </>
  );
}

/** The reasons for which a link leads nowhere, by the code of the refusal. */
const REASONS: ReadonlyMap<string, readonly [title: string, text: string]> = new Map(
  Object.entries({
    not_found: [
      'This link has ended',
      'A newer link replaced this one, an hour has passed, or too many wrong codes were entered.',
    ],
    state_conflict: [
      'This workspace belongs to another organization',
      'The first organization to attach a workspace keeps it.',
    ],
    expired: [
      'This preview has ended',
      'The workspace was not claimed within 72 hours. Ask your agent for another one.',
    ],
    workspace_disconnected: [
      'This workspace was disconnected',
      'Its owner ended it for good. Ask your agent for another one.',
    ],
    bad_request: [
      'This is not a claim link',
      'A character is missing or was changed. Copy the whole link from the terminal.',
    ],
  } as const),
);

/** True if the link leads nowhere any more: nothing of what it showed before stays on the page. */
export function isOver(error: Error): boolean {
  return REASONS.has(problemOf(error).code);
}

interface NotFoundProps {
  readonly session: Session;
  readonly error: Error;
  readonly onRetry: () => void;
  readonly onForget: () => void;
}

/** The reason why a link leads nowhere, and the command that makes the next one. */
export function NotFound({ session, error, onRetry, onForget }: NotFoundProps) {
  const { code } = problemOf(error);
  const [title, text] = REASONS.get(code) ?? ['The link could not be read', null];
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        {text !== null && <p class="lede">{text}</p>}
      </header>
      {code === 'state_conflict' && <OtherOrganizations session={session} />}
      <ProblemPanel error={error} title="The service refused the link" onRetry={onRetry}>
        {text === null ? undefined : 'Nothing was changed.'}
      </ProblemPanel>
      {code === 'not_found' && (
        <div class="field">
          <span class="label">This command makes a new link</span>
          <Command command={CLAIM_COMMAND} />
        </div>
      )}
      <div class="row">
        <button type="button" class="btn" onClick={onForget}>
          Use another link
        </button>
      </div>
    </>
  );
}
