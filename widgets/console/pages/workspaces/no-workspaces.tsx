import { useHost } from '../../api/hosts.ts';
import { claimCommand, createCommand } from '../../parts/commands.ts';
import { Empty, Way } from '../../parts/empty.tsx';

/** The list before the first workspace: how an agent makes one, and how it comes here. */
export function NoWorkspaces() {
  const base = useHost('base');
  return (
    <Empty
      title="An agent makes the workspace, you claim it"
      waiting="Waiting for the first workspace. It appears here by itself."
      ways={
        <>
          <Way
            title="By you or your agent, without an account"
            command={createCommand(base)}
            hint="The answer has the credential and the provision token. Both are shown once."
          />
          <Way
            title="When it does what you want, bring it here"
            command={claimCommand(base)}
            hint="The answer has the link to open, and the code of four characters to type."
          />
        </>
      }
    >
      It works at once, for 72 hours, without an account or a card. When it shows a verified result, you can
      move it onto Free.
    </Empty>
  );
}
