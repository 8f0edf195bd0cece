import { useEffect, useRef, useState } from 'preact/hooks';
import { mayDecide, useMembership } from '../../api/session.ts';
import { DangerAction, DangerSection } from '../../parts/form/danger.tsx';
import { useDraft } from '../../parts/form/draft.ts';
import { EXACT_TEXT, Field } from '../../parts/form/field.tsx';
import { SelectField } from '../../parts/form/select.tsx';
import { canDigest } from '../../parts/form/web-crypto.ts';
import { CopyButton } from '../../parts/table/identifier.tsx';
import { Shape } from '../../parts/table/state.tsx';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import type { Cohort } from './funnel.ts';
import { type Place, useEraseSubject } from './queries.ts';
import { digestFrom, subjectDigest } from './subject-digest.ts';

/** The characters of a digest that a person types to confirm. */
const TYPED_CHARACTERS = 8;

/** Erasing one subject of a checklist. The user id and the secret stay in the memory of this page: only the digest is sent. */
export function EraseSubject({ place, cohort }: { readonly place: Place; readonly cohort: Cohort }) {
  const { role } = useMembership();
  const [digest, setDigest] = useState<string | null>(null);
  const [chosen, setChosen] = useState(cohort);
  const erase = useEraseSubject(place);
  const name = (subject: string | null) => {
    if (subject !== digest) erase.reset();
    setDigest(subject);
  };
  return (
    <DangerSection>
      <DangerAction
        title="Erase subject"
        about="Removes one subject from this checklist and cohort. The subject is identified by a digest, which this page computes from your user id."
        verb="Erase"
        keep="Keep it"
        effects={{
          stops: 'Sessions of the subject: pages can no longer read the progress.',
          stays: 'The use of limits, which is never refunded, and the record in the audit log.',
          cannotBeUndone: 'The enrollment, the completed steps and the share in the funnel are deleted.',
        }}
        name={digest?.slice(0, TYPED_CHARACTERS) ?? null}
        isPending={erase.isPending}
        error={erase.error}
        reason={mayDecide(role) ? null : 'Only an owner or admin does this. You are a member.'}
        onConfirm={() => {
          if (digest !== null) erase.mutate({ subjectDigest: digest, cohort: chosen });
        }}
      >
        <div class="form">
          <SelectField
            label="Cohort"
            value={chosen}
            options={[
              { value: 'live', label: 'live: real subjects' },
              { value: 'test', label: 'test: synthetic subjects' },
            ]}
            onChange={(next) => {
              erase.reset();
              setChosen(next);
            }}
          />
          <SubjectFields
            checklistId={place.checklistId}
            isErased={erase.data !== undefined}
            onDigest={name}
          />
          {digest !== null && <Digest digest={digest} cohort={chosen} />}
        </div>
        {erase.data !== undefined && <Result {...erase.data} cohort={chosen} />}
      </DangerAction>
    </DangerSection>
  );
}

interface SubjectFieldsProps {
  readonly checklistId: string;
  /** True if the named subject is erased: then nothing of it is kept beyond this form. */
  readonly isErased: boolean;
  readonly onDigest: (digest: string | null) => void;
}

/** Names the subject: by its user id and the secret, from which the digest is computed, or by the digest itself. */
function SubjectFields({ checklistId, isErased, onDigest }: SubjectFieldsProps) {
  const { values, set, discard } = useDraft(
    `erase/${checklistId}`,
    { byId: canDigest(), userId: '', secret: '', digest: '' },
    { isPrivate: true },
  );
  const { byId } = values;
  const forget = useRef<() => void>();
  forget.current = isErased ? discard : undefined;
  useEffect(() => () => forget.current?.(), []);
  const change = (next: boolean) => {
    set({ byId: next });
    onDigest(null);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: the buttons show other fields, they are none themselves. */}
      <div class="segments start" role="group" aria-label="Identify the subject by">
        <button type="button" aria-pressed={byId} disabled={!canDigest()} onClick={() => change(true)}>
          User id
        </button>
        <button type="button" aria-pressed={!byId} onClick={() => change(false)}>
          Digest
        </button>
      </div>
      {!canDigest() && (
        <p class="hint">Browsers compute digests over HTTPS only. Compute it in your backend and paste it.</p>
      )}
      {byId ? (
        <ByUserId {...values} onChange={set} onDigest={onDigest} />
      ) : (
        <ByDigest text={values.digest} onChange={(digest) => set({ digest })} onDigest={onDigest} />
      )}
    </>
  );
}

interface ByUserIdProps {
  readonly userId: string;
  readonly secret: string;
  readonly onChange: (change: { readonly userId: string } | { readonly secret: string }) => void;
  readonly onDigest: (digest: string | null) => void;
}

function ByUserId({ userId, secret, onChange, onDigest }: ByUserIdProps) {
  useEffect(() => {
    let isCurrent = true;
    // The digest of the values before is no longer the subject's.
    onDigest(null);
    if (userId === '' || secret === '') return;
    void subjectDigest(secret, userId).then((digest) => {
      if (isCurrent) onDigest(digest);
    });
    return () => {
      isCurrent = false;
    };
    // `onDigest` is another function in each render and does the same.
  }, [userId, secret]);
  return (
    <>
      <Field
        label="User id in your system"
        value={userId}
        onInput={(next) => onChange({ userId: next })}
        {...EXACT_TEXT}
      />
      <Field
        label="Digest secret"
        type="password"
        value={secret}
        onInput={(next) => onChange({ secret: next })}
        autocomplete="off"
        hint="Used in this page only. Id and secret are not sent, the digest is."
      />
    </>
  );
}

interface ByDigestProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onDigest: (digest: string | null) => void;
}

function ByDigest({ text, onChange, onDigest }: ByDigestProps) {
  // What was typed before the form was closed counts again.
  useEffect(() => onDigest(digestFrom(text)), []);
  const isWrong = text.trim() !== '' && digestFrom(text) === null;
  return (
    <Field
      label="Digest of the subject"
      class="mono"
      value={text}
      onInput={(next) => {
        onChange(next);
        onDigest(digestFrom(next));
      }}
      {...EXACT_TEXT}
      hint="The HMAC-SHA256 of the user id, as your backend sends it."
      error={isWrong ? `Seen ${text.trim().length} characters. A digest is 64 hexadecimal characters.` : null}
    />
  );
}

function Digest({ digest, cohort }: { readonly digest: string; readonly cohort: Cohort }) {
  return (
    <div class="field">
      <span class="label">Digest, {cohort} cohort</span>
      <div class="digest">
        <code>{digest}</code>
        <CopyButton value={digest} label="Copy subject digest" />
      </div>
    </div>
  );
}

interface ResultProps {
  readonly erased: boolean;
  readonly erasedAt: string | null;
  readonly cohort: Cohort;
}

/** The answer: there was a subject and it is gone, or there was none. */
function Result({ erased, erasedAt, cohort }: ResultProps) {
  return (
    <div class={`notice ${erased ? 'ok' : 'warn'}`} role="status">
      <Shape tone={erased ? 'ok' : 'warn'} />
      <div>
        <strong>{erased ? 'The subject is erased' : 'There is nothing to erase'}</strong>
        {erased
          ? `All data of the subject in the ${cohort} cohort of this checklist is deleted.`
          : `The ${cohort} cohort of this checklist has no data of this subject. It was erased before, or another secret, user id or cohort names it.`}
        {erased && erasedAt !== null && (
          <>
            {' '}
            Erased <AbsoluteTime at={erasedAt} />.
          </>
        )}
      </div>
    </div>
  );
}
