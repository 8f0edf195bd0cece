import '../../style/feedback.css';
import { useQuery } from '@tanstack/preact-query';
import { useSearchParams } from 'wouter-preact';
import { capabilitiesQuery } from '../../api/capabilities.ts';
import type { Schemas } from '../../api/interface.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { workspaceQuery } from '../../api/workspace.ts';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { isGone, Unreadable } from '../../parts/loading/unreadable.tsx';
import { Badge, Shape } from '../../parts/table/state.tsx';
import { Countdown } from '../../parts/table/time.tsx';
import { UnreadableEntries } from '../../parts/table/unreadable-entries.tsx';
import { WorkspacePart } from '../../parts/workspace/workspace-part.tsx';
import { WORKSPACE_STATES } from '../../parts/workspace/workspace-state.tsx';
import { Inbox } from './inbox.tsx';
import { NoWidget } from './no-widget.tsx';
import { widgetsQuery } from './queries.ts';
import { viewOf } from './view.ts';
import { WidgetsSection } from './widgets-section.tsx';

type Params = { readonly params: Record<string, string> };
type Workspace = Schemas['Workspace'];

const WHAT = {
  title: 'Feedback',
  name: 'feedback',
  isList: true,
  erased: 'The widgets and messages are deleted.',
};

/** `/agent-workspaces/{id}/feedback?widget&state&submission`: the feedback widgets of a workspace, and what visitors sent. */
export function FeedbackPage({ params: { workspaceId = '' } }: Params) {
  const workspace = useQuery(workspaceQuery(workspaceId));
  const list = useQuery(widgetsQuery(workspaceId));
  const capabilities = useQuery(capabilitiesQuery);
  const error = list.error ?? workspace.error;
  if (error !== null && (isGone(error) || list.data === undefined || workspace.data === undefined)) {
    const refetch = () => Promise.all([list.refetch(), workspace.refetch()]);
    return <Unreadable workspaceId={workspaceId} what={WHAT} query={{ error, refetch }} />;
  }
  return (
    <WorkspacePart
      workspaceId={workspaceId}
      title="Feedback"
      state={workspace.data && <StateOf workspace={workspace.data} />}
    >
      {/* The sections stand one below the other, so that they appear together. */}
      {list.data && workspace.data && !capabilities.isPending && (
        <>
          <ReadProblem query={{ error, refetch: list.refetch }} title="The widgets could not be refreshed" />
          <EndedNotice state={workspace.data.state} />
          <Body workspace={workspace.data} list={list.data} />
        </>
      )}
    </WorkspacePart>
  );
}

function StateOf({ workspace: { state, expiresAt } }: { readonly workspace: Workspace }) {
  const { word, tone, about } = WORKSPACE_STATES[state];
  return (
    <>
      <Badge tone={tone} title={about}>
        {word}
      </Badge>
      {expiresAt !== null && (
        <span class="hint num">
          <Countdown until={expiresAt} />
        </span>
      )}
    </>
  );
}

interface BodyProps {
  readonly workspace: Workspace;
  readonly list: Schemas['WidgetList'];
}

function Body({ workspace, list }: BodyProps) {
  const { widgets } = list;
  const { role } = useMembership();
  const [params] = useSearchParams();
  const view = viewOf(params);
  const shown = widgets.find(({ widgetId }) => widgetId === view.widgetId) ?? widgets[0];
  const isLive = workspace.state !== 'expired' && workspace.state !== 'disconnected';
  const unreadable = <UnreadableEntries entries={list.unreadable} />;
  if (shown === undefined) {
    if (list.unreadable !== undefined) return unreadable;
    return isLive ? <NoWidget /> : <p class="hint">No widget was created before the workspace ended.</p>;
  }
  return (
    <>
      {!mayDecide(role) && (
        <p class="hint">Owners and admins read the messages. You are a member and see their numbers.</p>
      )}
      {/* Above the inbox, which grows at its end. */}
      <WidgetsSection widgets={widgets} shown={shown} isLive={isLive} />
      {unreadable}
      {mayDecide(role) && workspace.state !== 'expired' && (
        <Inbox key={shown.widgetId} workspace={workspace} widget={shown} />
      )}
    </>
  );
}

const ENDED: Readonly<Partial<Record<Workspace['state'], string>>> = {
  paused:
    'The workspace is paused: pages show no feedback button, and what they send is refused. Messages that have arrived can be read and moved.',
  expired: 'The preview has ended, and the messages are deleted. The widgets accept no feedback.',
  disconnected:
    'The workspace is disconnected: the widgets accept no feedback. You can read and erase messages until their retention ends.',
};

function EndedNotice({ state }: Pick<Workspace, 'state'>) {
  const text = ENDED[state];
  if (text === undefined) return null;
  return (
    <div class="notice">
      <Shape tone="idle" />
      <span>{text}</span>
    </div>
  );
}
