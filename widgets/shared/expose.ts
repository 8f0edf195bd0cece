/** Makes a widget's one global name. If the script is on the page twice, the first copy stays, so both share its state. */
export function expose(name: string, widget: object): void {
  if (!(name in globalThis)) Reflect.set(globalThis, name, widget);
}
