import { useHost } from '../../api/hosts.ts';
import { CLAIM_COMMAND, createCommand, downloadCommand } from '../../parts/frame/commands.ts';
import { Empty, Way } from '../../parts/loading/empty.tsx';

/** The list before the first workspace: how an agent makes one, and how it comes here. */
export function NoWorkspaces() {
  const base = useHost('base');
  return (
    <Empty
      title="An agent makes the workspace, you claim it"
      prompt={`Read ${base}/llms.txt and create a workspace for this project.`}
      guide="agent workspaces"
      waiting="Waiting for the first workspace. It appears here automatically."
      ways={
        <>
          <Way
            title="Get the command-line tool"
            command={downloadCommand(base)}
            hint="One file, for Bun or Node 24."
          />
          <Way
            title="Create a workspace in the folder of your project"
            command={createCommand(base)}
            hint="The tool keeps the credential in the folder .svc. No command prints it."
          />
          <Way
            title="When it does what you want, bring it here"
            command={CLAIM_COMMAND}
            hint="It opens the private link in your browser, and prints the code of four characters to type."
          />
        </>
      }
    >
      It works at once, for 72 hours, without an account or a card. When it shows a verified result, you can
      move it onto Free.
    </Empty>
  );
}
