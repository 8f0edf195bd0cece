import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { DangerAction, DangerSection } from '../../parts/form/danger.tsx';
import { useArrival } from '../../parts/form/use-asked.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { ChangeProblem } from './change-problem.tsx';
import { useWorkspaceChange } from './use-workspace-change.ts';

type Workspace = Schemas['Workspace'];

interface DangerProps {
  readonly workspace: Workspace;
  /** Absent while they are read. */
  readonly limits: Schemas['WorkspaceOverview']['limits'] | undefined;
}

/** Pause, disconnect, erase: what stops, what stays, and what cannot be undone. */
export function WorkspaceDanger({ workspace, limits }: DangerProps) {
  const isLive = workspace.state !== 'expired' && workspace.state !== 'disconnected';
  const change = useWorkspaceChange(workspace);
  return (
    <DangerSection>
      {isLive && <Pause workspace={workspace} change={change} />}
      {!isLive && change.error !== null && (
        <li>
          <ChangeProblem error={change.error} state={workspace.state} onRetry={change.repeat} />
        </li>
      )}
      {workspace.state !== 'disconnected' && <Disconnect workspace={workspace} />}
      <Erase workspace={workspace} events={limits?.svcactivate?.events.used} />
    </DangerSection>
  );
}

interface PauseProps {
  readonly workspace: Workspace;
  /** The pause or its end. The section has it: a refusal is shown also where no pause is possible any more. */
  readonly change: ReturnType<typeof useWorkspaceChange>;
}

function Pause({ workspace, change }: PauseProps) {
  const { role } = useMembership();
  const isPaused = workspace.state === 'paused';
  const reason = !mayDecide(role)
    ? 'An owner or admin does this.'
    : workspace.state === 'preview'
      ? 'A preview cannot be paused. Claim the workspace first.'
      : null;
  return (
    <li ref={useArrival('do', 'pause')}>
      <h3>{isPaused ? 'Resume workspace' : 'Pause workspace'}</h3>
      <p>
        {isPaused
          ? 'Events, sessions, uploads and runs are accepted again. Tokens that have not ended work as before.'
          : 'New events, sessions, uploads and runs get 403 until you resume. Reads, acknowledgments and work already started continue.'}
      </p>
      <ActionButton
        reason={reason}
        isPending={change.isPending}
        data-words={isPaused ? 'Resume workspace' : 'Pause workspace'}
        onAct={() => change.mutate(isPaused ? 'resume' : 'pause')}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </ActionButton>
      {change.error !== null && (
        <ChangeProblem error={change.error} state={workspace.state} onRetry={change.repeat} />
      )}
    </li>
  );
}

function Disconnect({ workspace }: { readonly workspace: Workspace }) {
  const { role } = useMembership();
  const disconnect = useWorkspaceChange(workspace);
  const { credentials } = workspace;
  return (
    <DangerAction
      title="Disconnect workspace"
      about="Collection and agent access end for good. You keep the records until you erase them."
      verb="Disconnect"
      effects={{
        stops: `${counted(credentials.length, 'credential')}, every capability, session and upload`,
        stays: `${inventoryText(workspace)}, the audit log`,
        cannotBeUndone: 'A disconnected workspace cannot be connected again',
      }}
      name={workspace.name}
      isPending={disconnect.isPending}
      error={disconnect.error}
      reason={mayDecide(role) ? null : 'An owner or admin does this.'}
      onConfirm={() => disconnect.mutate('disconnect')}
    />
  );
}

function Erase({
  workspace,
  events,
}: {
  readonly workspace: Workspace;
  readonly events: number | undefined;
}) {
  const queries = useQueryClient();
  const { role } = useMembership();
  const [, go] = useLocation();
  const { workspaceId, name, credentials } = workspace;
  const erase = useChange({
    send: () =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/erase', {
          params: { path: { workspaceId } },
          body: { confirm: name },
        }),
      ),
    afterLoss: 'gone',
    onSuccess: () => {
      toast(`${name} is erased`);
      go('/agent-workspaces', { replace: true });
      // Nothing of it stays in the memory of the page, so that going back shows nothing.
      queries.removeQueries({ queryKey: ['workspace', workspaceId] });
      void queries.invalidateQueries({ queryKey: ['workspaces'] });
    },
  });
  const eventText = events === undefined || events === 0 ? '' : `, ${counted(events, 'event')}`;
  return (
    <DangerAction
      title="Erase workspace"
      about="Removes every record and stored file. Ids, digests and the audit log stay."
      verb="Erase"
      effects={{
        stops: `${counted(credentials.length, 'credential')}, every capability, session and upload`,
        stays: 'The audit log, and a mark that the workspace was erased',
        cannotBeUndone: `${inventoryText(workspace)}${eventText}: they cannot be restored`,
      }}
      name={name}
      isPending={erase.isPending}
      error={erase.error}
      reason={role === 'owner' ? null : 'Only an owner of the organization erases a workspace.'}
      onConfirm={() => erase.mutate()}
    />
  );
}

/** `4 imports, 2 schemas, 1 checklist, 412 enrollments`. */
function inventoryText({ inventory }: Workspace): string {
  return [
    counted(inventory.imports, 'import'),
    counted(inventory.importSchemas, 'schema'),
    counted(inventory.checklists, 'checklist'),
    counted(inventory.enrollments, 'enrollment'),
    counted(inventory.feedbackSubmissions, 'submission'),
  ].join(', ');
}
