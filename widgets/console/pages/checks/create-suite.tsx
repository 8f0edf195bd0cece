import { useEffect, useRef } from 'preact/hooks';
import { useDraft } from '../../parts/form/draft.ts';
import { EXACT_TEXT, Field } from '../../parts/form/field.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { SelectField } from '../../parts/form/select.tsx';
import { Icon } from '../../parts/frame/icon.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { useCreateSuite } from './check-changes.ts';
import type { Origin, Profile, Suite } from './queries.ts';
import {
  type Action,
  copyOf,
  NO_SUITE,
  pathIn,
  STEPS_MAX,
  suiteOf,
  type TypedStep,
  type TypedSuite,
} from './suite-form.ts';

const NAME_CHARACTERS_MAX = 80;
const TEXT_CHARACTERS_MAX = 200;

/** Each action: its words, and the label and an example of its value. */
const ACTIONS: Readonly<Record<Action, readonly [words: string, label: string, example: string]>> = {
  goto: ['Open the page', 'Path', '/sign-up'],
  expect_heading: ['Expect the heading', 'Heading', 'Create your account'],
  expect_title: ['Expect the title', 'Title', 'Sign up'],
  expect_text: ['Expect the text', 'Text', 'Free for 72 hours'],
  expect_status: ['Expect the status', 'Status', '200'],
};

interface CreateSuiteProps {
  readonly workspaceId: string;
  /** The proved origins, one at least. */
  readonly origins: readonly [Origin, ...Origin[]];
  readonly profiles: readonly Profile[];
  /** The suite that is copied; null for a new one. */
  readonly from: Suite | null;
  readonly onClose: () => void;
  readonly onMade: (made: Suite, runs: boolean) => void;
}

/** Creates a suite of one flow. A suite never changes, so that another one begins as a copy of it. */
export function CreateSuite({ workspaceId, origins, profiles, from, onClose, onMade }: CreateSuiteProps) {
  const place = from === null ? `create-suite/${workspaceId}` : `copy-suite/${from.suiteId}`;
  const draft = useDraft<TypedSuite>(place, (from === null ? null : copyOf(from)) ?? NO_SUITE);
  const { values, set } = draft;
  const origin = origins.find(({ originId }) => originId === values.originId) ?? origins[0];
  const own = profiles.filter(({ originId }) => originId === origin.originId);
  const accessProfileId = own.some((profile) => profile.accessProfileId === values.accessProfileId)
    ? values.accessProfileId
    : '';
  const create = useCreateSuite(workspaceId, (made) => {
    draft.discard();
    onMade(made, values.runs);
  });
  return (
    <FormDialog
      title={from === null ? 'Create suite' : `Copy ${from.name}`}
      hint="A run opens these pages in a real browser, within 30 seconds. It never types, clicks or submits."
      onClose={onClose}
      draft={draft}
      change={create}
      onSend={() => create.mutate(suiteOf({ ...values, accessProfileId }, origin))}
      act={{ thing: 'the suite', done: 'created' }}
      verb="Create suite"
    >
      <Field
        label="Name"
        value={values.name}
        onInput={(name) => set({ name })}
        maxLength={NAME_CHARACTERS_MAX}
        pattern=".*\S.*"
        autocomplete="off"
        required
      />
      <SelectField
        label="Origin"
        value={origin.originId}
        options={origins.map((each) => ({ value: each.originId, label: each.origin }))}
        onChange={(originId) => set({ originId })}
      />
      {own.length > 0 && (
        <SelectField
          label="Access profile"
          value={accessProfileId}
          options={[
            { value: '', label: 'Desktop' },
            ...own.map(({ accessProfileId: value, name }) => ({ value, label: name })),
          ]}
          onChange={(next) => set({ accessProfileId: next })}
        />
      )}
      <Steps steps={values.steps} origin={origin.origin} onChange={(steps) => set({ steps })} />
      <label class="check">
        <input
          type="checkbox"
          checked={values.runs}
          onChange={(event) => set({ runs: event.currentTarget.checked })}
        />
        Run it as soon as it is created
      </label>
    </FormDialog>
  );
}

interface StepsProps {
  readonly steps: readonly TypedStep[];
  readonly origin: string;
  readonly onChange: (steps: readonly TypedStep[]) => void;
}

function Steps({ steps, origin, onChange }: StepsProps) {
  const list = useRef<HTMLOListElement>(null);
  const count = useRef(steps.length);
  useEffect(() => {
    if (count.current === steps.length) return;
    count.current = steps.length;
    // The step that was added, or the last one after another was removed.
    list.current?.querySelector<HTMLElement>('li:last-child input')?.focus();
  }, [steps.length]);
  const change = (at: number, step: TypedStep) =>
    onChange(steps.map((each, index) => (index === at ? step : each)));
  return (
    <fieldset class="field steps-form">
      <legend>Steps</legend>
      <ol ref={list}>
        {steps.map((step, at) => (
          <li key={at}>
            <StepFields step={step} number={at + 1} origin={origin} onChange={(next) => change(at, next)} />
            {at > 0 && (
              <button
                type="button"
                class="btn quiet square"
                aria-label={`Remove step ${at + 1}`}
                onClick={() => onChange(steps.filter((_, index) => index !== at))}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ol>
      {steps.length < STEPS_MAX && (
        <button
          type="button"
          class="btn small"
          onClick={() => onChange([...steps, { action: 'expect_text', value: '' }])}
        >
          Add step
        </button>
      )}
    </fieldset>
  );
}

interface StepFieldsProps {
  readonly step: TypedStep;
  /** From 1 on. A flow begins with a page. */
  readonly number: number;
  readonly origin: string;
  readonly onChange: (step: TypedStep) => void;
}

function StepFields({ step, number, origin, onChange }: StepFieldsProps) {
  const { action, value, level } = step;
  const actions = number === 1 ? (['goto'] as const) : (Object.keys(ACTIONS) as Action[]);
  const [, label, example] = ACTIONS[action];
  const rules = {
    goto: { pattern: '/[!-~]*', title: `A path on ${visibleText(origin)}, such as /sign-up` },
    expect_status: { type: 'number', min: 200, max: 599 },
    expect_heading: { maxLength: TEXT_CHARACTERS_MAX },
    expect_title: { maxLength: TEXT_CHARACTERS_MAX },
    expect_text: { maxLength: TEXT_CHARACTERS_MAX },
  }[action];
  return (
    <>
      <SelectField
        label={`Step ${number}`}
        value={action}
        options={actions.map((each) => ({ value: each, label: ACTIONS[each][0] }))}
        onChange={(next) => onChange({ action: next, value: '' })}
      />
      <Field
        {...rules}
        label={level === undefined ? label : `${label} of level ${level}`}
        value={value}
        onInput={(next) => onChange({ ...step, value: action === 'goto' ? pathIn(next, origin) : next })}
        placeholder={example}
        {...EXACT_TEXT}
        required
      />
    </>
  );
}
