import { Icon } from '../../parts/frame/icon.tsx';

const STEPS = ['look', 'confirm', 'attach', 'claim'] as const;

type Step = (typeof STEPS)[number];

const WORDS: Readonly<Record<Step, readonly [title: string, hint: string]>> = {
  look: ['Look', 'What is inside'],
  confirm: ['Confirm', 'Enter the code from your terminal'],
  attach: ['Attach', 'Appears in your console'],
  claim: ['Claim', 'Moves to Free, no end'],
};

interface StepsProps {
  /** The current step, or that all are done. */
  readonly now: Step | 'done';
  /** The line below "Look", where it is another one. */
  readonly look?: string;
}

/** The four steps, of which one is the current one. */
export function Steps({ now, look }: StepsProps) {
  const at = now === 'done' ? STEPS.length : STEPS.indexOf(now);
  return (
    <ol class="line stack" aria-label="Steps">
      {STEPS.map((step, index) => {
        const [title, hint] = WORDS[step];
        return (
          <li
            key={step}
            class={index < at ? 'done' : index > at ? '' : index >= STEPS.length / 2 ? 'now late' : 'now'}
            aria-current={index === at ? 'step' : undefined}
          >
            <b>
              {index < at && <Icon name="check" size={14} />}
              {title}
            </b>
            <span>{step === 'look' && look !== undefined ? look : hint}</span>
          </li>
        );
      })}
    </ol>
  );
}
