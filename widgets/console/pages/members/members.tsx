import { useQuery } from '@tanstack/preact-query';
import { type Member, membersQuery, ROLES } from '../../api/members.ts';
import { personName } from '../../api/person-name.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { useAsked } from '../../parts/form/use-asked.ts';
import { PageHead } from '../../parts/frame/page-head.tsx';
import { ProblemPanel, ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { RowsSkeleton } from '../../parts/loading/skeleton.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { Table } from '../../parts/table/table.tsx';
import { UnreadableEntries } from '../../parts/table/unreadable-entries.tsx';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite.tsx';
import { useMemberChanges } from './member-changes.ts';
import { MemberRow } from './member-row.tsx';

/** The act of this page in the address. */
const INVITE = 'invite';

/** Between two readings of the list: an invited person may join at any time. */
const WATCH_MS = 10_000;

/** `/members`: who belongs to the organization and in which role, and who is invited. */
export function MembersPage() {
  const list = useQuery({ ...membersQuery, refetchInterval: WATCH_MS });
  const { role } = useMembership();
  const [act, ask] = useAsked('do');
  return (
    <>
      <PageHead
        title="Members"
        meta={list.data ? <span>{summary(list.data.members, list.data.invitations.length)}</span> : null}
        actions={
          <ActionButton
            class="primary"
            reason={mayDecide(role) ? null : 'Owners and admins invite people. Ask one of them below.'}
            onAct={() => ask(INVITE)}
          >
            Invite a person
          </ActionButton>
        }
      />
      <div class="stack">
        <ReadProblem query={list} title="The members could not be read" />
        {(list.data !== undefined || list.error === null) && <MemberTable members={list.data?.members} />}
        <UnreadableEntries entries={list.data?.unreadable} />
        {list.data !== undefined && <Invitations invitations={list.data.invitations} />}
      </div>
      {act === INVITE && mayDecide(role) && <InviteDialog onClose={() => ask(null)} />}
    </>
  );
}

function summary(members: readonly Member[], invitations: number): string {
  const owners = members.filter(({ role }) => role === 'owner').length;
  const open = invitations === 0 ? '' : ` · ${counted(invitations, 'open invitation')}`;
  return `${counted(members.length, 'member')}, ${counted(owners, 'owner')}${open}`;
}

const RANKS = ['owner', 'admin', 'member'];

/** The members with the most power first, and by name. */
function inOrder(members: readonly Member[]): Member[] {
  const rank = ({ role }: Member) => RANKS.indexOf(role);
  return [...members].sort(
    (one, other) => rank(one) - rank(other) || personName(one).localeCompare(personName(other)),
  );
}

interface MemberTableProps {
  readonly members: readonly Member[] | undefined;
}

function MemberTable({ members }: MemberTableProps) {
  const changes = useMemberChanges();
  return (
    <section aria-label="Members">
      {changes.error !== null && (
        <ProblemPanel error={changes.error.cause} title={changes.error.title}>
          {changes.error.cure}
        </ProblemPanel>
      )}
      <Table
        label="Members table"
        class="members-list"
        columns={['Person', 'Role', 'Allowed to', 'Last seen', { hidden: 'Actions', class: 'end' }]}
      >
        {members === undefined ? (
          <RowsSkeleton rows={3} columns={5} />
        ) : (
          <Rows>
            {inOrder(members).map((member) => (
              <MemberRow key={member.userId} member={member} about={ROLES[member.role]} changes={changes} />
            ))}
          </Rows>
        )}
      </Table>
    </section>
  );
}
