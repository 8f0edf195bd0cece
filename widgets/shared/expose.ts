/**
 * Makes a widget's one global name. If the script is on the page twice, the first copy stays, so both share its state. An element
 * with this id, which browsers make a global of, does not count.
 */
export function expose(name: string, widget: { readonly mount: unknown }): void {
  const globals = globalThis as unknown as Record<string, Partial<typeof widget> | undefined>;
  if (!globals[name]?.mount) globals[name] = widget;
}
