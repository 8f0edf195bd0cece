import { useId, useState } from 'preact/hooks';
import { count } from '../../../parts/table/numbers.ts';
import type { Column } from './columns.ts';

/** The choice of each schema, in this browser. Field names are no private data. */
const KEY = 'svc-hidden-columns';

/** The schemas whose choice is kept: the latest ones. */
const SCHEMAS_KEPT = 20;

/** The fields of a schema whose columns a person has hidden, and how to hide others. */
export function useHiddenColumns(schemaId: string) {
  const [hidden, setHidden] = useState(() => storedChoices().get(schemaId) ?? []);
  const hide = (fields: readonly string[]) => {
    setHidden(fields);
    const others = [...storedChoices()].filter(([id]) => id !== schemaId);
    const kept = fields.length === 0 ? others : [...others, [schemaId, fields] as const];
    try {
      localStorage.setItem(KEY, JSON.stringify(kept.slice(-SCHEMAS_KEPT)));
    } catch {
      // A browser that stores nothing keeps the choice until the page is left.
    }
  };
  return [hidden, hide] as const;
}

function storedChoices(): Map<string, readonly string[]> {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
  } catch {
    return new Map();
  }
}

interface ColumnChoiceProps {
  readonly columns: readonly Column[];
  /** The fields that have errors. */
  readonly wrong: readonly string[];
  readonly hidden: readonly string[];
  readonly onHide: (fields: readonly string[]) => void;
}

/** The button that says how many columns are shown, and the list to choose them from. */
export function ColumnChoice({ columns, wrong, hidden, onHide }: ColumnChoiceProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const shown = columns.filter(({ field }) => !hidden.includes(field.key));
  const toggle = (key: string) =>
    onHide(hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key]);
  return (
    <>
      <button
        type="button"
        class="btn small"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {`Columns ${count(shown.length)} of ${count(columns.length)}`}
      </button>
      {isOpen && (
        <fieldset class="panel columns" id={id}>
          <legend class="vh">Columns shown</legend>
          {columns.map(({ field: { key } }) => (
            <label key={key} class="check">
              <input type="checkbox" checked={!hidden.includes(key)} onChange={() => toggle(key)} />
              <code>{key}</code>
            </label>
          ))}
          <p class="row">
            <button type="button" class="link" onClick={() => onHide([])}>
              Show all
            </button>
            {wrong.length > 0 && (
              <button
                type="button"
                class="link"
                onClick={() =>
                  onHide(columns.map(({ field }) => field.key).filter((key) => !wrong.includes(key)))
                }
              >
                Show only columns with errors
              </button>
            )}
          </p>
        </fieldset>
      )}
    </>
  );
}
