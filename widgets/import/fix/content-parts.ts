import { HIDDEN } from '../../../schemas/base/hidden.ts';
import type { Examination } from '../../../schemas/imports/fix/examination.ts';
import type { Choices } from '../../../schemas/imports/fix/findings.ts';
import type { Child } from '../../shared/dom.ts';
import type { Card } from '../card.ts';

/** The actions of a person. */
export interface FixActions {
  readonly onChoice: (change: (choices: Choices) => Choices) => void;
  readonly onUpload: () => void;
  readonly onDownload: () => void;
  readonly onOther: () => void;
}

/** The content of the step. */
export interface FixContent {
  readonly card: Card;
  readonly name: string;
  readonly examination: Examination;
  readonly choices: Choices;
  readonly actions: FixActions;
  readonly refusal: readonly Child[] | null;
  /** True if the settings are on screen. */
  readonly isOpen: boolean;
}

/** A text with its characters without a shape visible. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0);
    // The picture of a control character.
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
  });
}
