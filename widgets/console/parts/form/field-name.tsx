import type { Schemas } from '../../api/interface.ts';
import { visibleText } from '../table/visible-text.ts';

type ImportField = Schemas['ImportField'];

interface FieldNameProps {
  readonly field: ImportField;
}

/** The name of a field of an import as people see it in the widget, with its key. */
export function FieldName({ field: { key, label } }: FieldNameProps) {
  if (label === undefined) return <code>{key}</code>;
  return (
    <>
      {visibleText(label)}{' '}
      <span class="sub">
        <code>{key}</code>
      </span>
    </>
  );
}

/** The texts about a field for the person who maps: description, example and other names. */
export function fieldNotes({ description, example, aliases }: ImportField): string[] {
  return [
    ...(description ? [visibleText(description)] : []),
    ...(example === undefined ? [] : [`Example: ${visibleText(example)}`]),
    ...(aliases === undefined || aliases.length === 0
      ? []
      : [`Also named ${aliases.map(visibleText).join(', ')}`]),
  ];
}
