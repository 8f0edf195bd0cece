import { Dialog } from '../../parts/form/dialog.tsx';
import { useOpened } from '../../parts/form/use-asked.ts';
import { Command } from '../../parts/loading/empty.tsx';
import { Identifier } from '../../parts/table/identifier.tsx';
import { count } from '../../parts/table/numbers.ts';

/** A number that opens the list of the workspaces behind it. */
export function Behind(props: { value: number | null; workspaces: readonly string[]; title: string }) {
  const { value, workspaces, title } = props;
  const [isOpen, setOpen] = useOpened<true>();
  if (value === null || value === 0 || workspaces.length === 0) return <>{numberOf(value)}</>;
  return (
    <>
      <button
        type="button"
        class="link"
        aria-label={`${title}: ${count(value)}`}
        onClick={() => setOpen(true)}
      >
        {count(value)}
      </button>
      {isOpen && <Workspaces {...{ workspaces, title }} onClose={() => setOpen(null)} />}
    </>
  );
}

function Workspaces(props: { workspaces: readonly string[]; title: string; onClose: () => void }) {
  const { workspaces, title, onClose } = props;
  const hint =
    workspaces.length < 2
      ? 'The only one that is known'
      : `The latest ${count(workspaces.length)}, the newest first`;
  return (
    <Dialog title={title} hint={hint} onClose={onClose}>
      <ul class="panel listed">
        {[...workspaces].reverse().map((workspaceId) => (
          <li key={workspaceId}>
            <Identifier value={workspaceId} name="workspace id" />
          </li>
        ))}
      </ul>
      <p class="hint">To see what the newest one holds, run:</p>
      <Command command={`npm run ops -- aggregate workspaces ${workspaces.at(-1)}`} />
      <div class="actions">
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

export function numberOf(value: number | null): string {
  return value === null ? '–' : count(value);
}
