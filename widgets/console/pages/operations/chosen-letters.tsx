import { useId } from 'preact/hooks';
import { hasStatus } from '../../api/client.ts';
import type { Problem } from '../../api/problem.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { problemSentence } from '../../parts/loading/problem-sentence.ts';
import { count, counted } from '../../parts/table/numbers.ts';
import { Scroller } from '../../parts/table/scroller.tsx';
import { Shape, State } from '../../parts/table/state.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { type Batch, endOf, openOf, type Verb } from './letter-closing.ts';
import { nameOf, placeOf } from './letter-dialog.tsx';

/** Letters that are closed together. Each is a request, of which a person has a number a minute. */
export const CHOSEN_MAX = 50;

interface ChosenBarProps {
  /** The open letters that are listed. */
  readonly listed: number;
  readonly chosen: number;
  /** True while others are being closed. */
  readonly isBusy: boolean;
  readonly onChooseAll: () => void;
  readonly onChooseNone: () => void;
  readonly onAct: (verb: Verb) => void;
}

/** The acts on the chosen letters. It has the same controls in the same places, whatever is chosen. */
export function ChosenBar({ listed, chosen, isBusy, onChooseAll, onChooseNone, onAct }: ChosenBarProps) {
  const id = useId();
  const most = Math.min(listed, CHOSEN_MAX);
  const isAll = chosen >= most;
  const isOff = chosen === 0 || isBusy;
  const act = (verb: Verb, words: string, named: string) => (
    <button
      type="button"
      class="btn"
      aria-disabled={isOff}
      aria-describedby={id}
      data-words={named}
      onClick={() => {
        if (!isOff) onAct(verb);
      }}
    >
      {words}
    </button>
  );
  return (
    <div class="toolbar chosen">
      <label class="check">
        <input type="checkbox" checked={isAll} onChange={isAll ? onChooseNone : onChooseAll} />
        {listed > CHOSEN_MAX ? `The newest ${CHOSEN_MAX}` : `All ${count(listed)}`}
      </label>
      <p class="hint" id={id} role="status">
        {chosen === 0 ? 'None chosen' : `${count(chosen)} chosen${chosen === CHOSEN_MAX ? ', the most' : ''}`}
        {isBusy && '; wait for those under way'}
      </p>
      <div class="actions">
        {act('replay', 'Send again…', 'Send the chosen records again')}
        {act('discard', 'Discard…', 'Discard the chosen records')}
      </div>
    </div>
  );
}

interface ChosenDialogProps {
  readonly batch: Batch;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks once for all chosen letters, and then shows the result of each. */
export function ChosenDialog({ batch, onConfirm, onClose }: ChosenDialogProps) {
  const { letters, verb, results, isRunning } = batch;
  const open = openOf(batch);
  const isBegun = results.size > 0;
  // A record that was refused for what it is would be refused again.
  const isOff = isBegun && open.every(({ deadLetterId }) => hasStatus(results.get(deadLetterId), 409));
  const records = counted(open.length, 'record');
  return (
    <Dialog
      title={verb === 'replay' ? `Send ${records} again` : `Discard ${records}`}
      hint={isBegun ? progressOf(letters.length - open.length, letters.length, verb) : HINTS[verb]}
      onClose={onClose}
      keepsOpen={isRunning}
    >
      <div class="form">
        <Scroller label="Chosen records">
          <ul class="chosen-letters">
            {letters.map((letter) => (
              <li key={letter.deadLetterId}>
                <span>
                  <code>{nameOf(letter)}</code>
                  <span class="sub num">{placeOf(letter)}</span>
                </span>
                {isBegun && <Result result={results.get(letter.deadLetterId)} verb={verb} />}
              </li>
            ))}
          </ul>
        </Scroller>
        <div class="dialog-foot">
          <button type="button" class="btn quiet" onClick={onClose}>
            {isBegun ? 'Close' : 'Keep them'}
          </button>
          {!isOff && (
            <ActionButton
              class={verb === 'replay' ? 'primary' : 'danger-primary'}
              reason={null}
              isPending={isRunning}
              onAct={onConfirm}
            >
              {verb === 'replay' ? `Send ${records} again` : `Discard ${records}`}
            </ActionButton>
          )}
        </div>
      </div>
    </Dialog>
  );
}

interface BatchNoticeProps {
  readonly batch: Batch;
  readonly onShow: () => void;
  readonly onHide: () => void;
}

/** The progress and the end of a batch, above the list, while its dialog is closed. */
export function BatchNotice({ batch, onShow, onHide }: BatchNoticeProps) {
  const { letters, verb, isRunning } = batch;
  const left = openOf(batch).length;
  const tone = isRunning ? 'info' : left === 0 ? 'ok' : 'warn';
  return (
    <div class={`notice ${tone}`} role="status">
      <Shape tone={tone} />
      <div>
        <strong>
          {isRunning
            ? `${verb === 'replay' ? 'Sending again' : 'Discarding'}: ${count(letters.length - left)} of ${count(letters.length)}`
            : endOf(batch)}
        </strong>
        <div class="row">
          <button type="button" class="btn small" onClick={onShow}>
            Show {counted(letters.length, 'record')}
          </button>
          {!isRunning && (
            <button type="button" class="btn quiet small" onClick={onHide}>
              Hide
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

const HINTS: Readonly<Record<Verb, string>> = {
  replay:
    'One after the other. What a client has repeated since then happens once; a record without a key of its client happens again.',
  discard: 'They will never be handled. This cannot be undone.',
};

function progressOf(closed: number, all: number, verb: Verb): string {
  return `${count(closed)} of ${count(all)} ${verb === 'replay' ? 'sent again' : 'discarded'}. The others stay open and chosen.`;
}

interface ResultProps {
  readonly result: 'closed' | Problem | undefined;
  readonly verb: Verb;
}

function Result({ result, verb }: ResultProps) {
  if (result === undefined) return <State tone="idle">Not sent yet</State>;
  if (result === 'closed') return <State tone="ok">{verb === 'replay' ? 'Sent again' : 'Discarded'}</State>;
  const reason = hasStatus(result, 409)
    ? 'Either it would fail again, or it is closed already.'
    : visibleText(problemSentence(result));
  return (
    <span>
      <State tone="bad">Stays open</State>
      <span class="sub">{reason}</span>
    </span>
  );
}
