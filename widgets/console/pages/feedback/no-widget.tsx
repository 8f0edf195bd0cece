import { useHost } from '../../api/hosts.ts';
import { WIDGET_COMMAND, widgetCommand } from '../../parts/frame/commands.ts';
import { Empty, Way } from '../../parts/loading/empty.tsx';

/** The page before the first widget. */
export function NoWidget() {
  const base = useHost('base');
  return (
    <Empty
      title="No feedback widget yet"
      guide="feedback"
      waiting="Waiting for the first widget. It appears here automatically."
      ways={
        <>
          <Way
            title="With the command line, in the folder of the project"
            command={WIDGET_COMMAND}
            hint="It prints the tag for the pages of this origin. Every workspace has feedback; it needs no opt-in."
          />
          <Way title="Or over HTTP, with the workspace’s credential" command={widgetCommand(base)} />
        </>
      }
    >
      An agent creates a widget for the pages of one origin. What their visitors write arrives here.
    </Empty>
  );
}
