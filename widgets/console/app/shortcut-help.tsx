import { useState } from 'preact/hooks';
import { Dialog } from '../parts/form/dialog.tsx';
import { singleKeysAreOn, switchSingleKeys } from '../parts/frame/shortcut-choice.ts';
import { currentShortcuts } from '../parts/frame/shortcuts.ts';

/** Keys of the browser and of lists, which work whatever the choice is. */
const EVERYWHERE: readonly (readonly [keys: readonly string[], about: string])[] = [
  [['↑', '↓'], 'Move in a table'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close the dialog or menu'],
];

/** `?`: the shortcuts that work on this page, and the switch for those of single keys. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(singleKeysAreOn);
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <dl class="keys">
        {currentShortcuts().map(({ keys, about }) => (
          <Line key={keys} keys={keys.split(' ')} about={about} isOff={!isOn} />
        ))}
        {EVERYWHERE.map(([keys, about]) => (
          <Line key={about} keys={keys} about={about} isOff={false} />
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={() => {
            switchSingleKeys(!isOn);
            setOn(!isOn);
          }}
        />
        Single keys are shortcuts in this browser
      </label>
      <div class="dialog-foot">
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

interface LineProps {
  readonly keys: readonly string[];
  readonly about: string;
  readonly isOff: boolean;
}

/** The signs of keys whose names are words. */
const SIGNS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓' };

function Line({ keys, about, isOff }: LineProps) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{SIGNS[key] ?? key}</kbd>
        ))}
      </dt>
      <dd>
        {about}
        {isOff && <span class="muted"> (off)</span>}
      </dd>
    </div>
  );
}
