/** A text in the form of a formula, by which exporters keep a spreadsheet from reading it as a number. */
const TEXT_FORMULA = /^="([^"]*)"$/;

/** A cell without the signs of a formula around its text, such as `="00123"`. */
export function textOfFormula(cell: string): string {
  return TEXT_FORMULA.exec(cell)?.[1] ?? cell;
}
