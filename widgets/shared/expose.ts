/**
 * Makes a widget's one global name. If the script is on the page twice, the first copy stays, so both share its state. An element
 * with this id, which browsers make a global of, does not count.
 *
 * An error of `mount` goes to the browser's console, and not to the script of the page, whose later lines run.
 *
 * @param fail returns what the page gets then, and shows the person that the widget does not work
 */
export function expose<Call extends unknown[], Mount>(
  name: string,
  widget: { mount(...call: Call): Mount },
  fail: (first: Call[0]) => Mount,
): void {
  const globals = globalThis as unknown as Record<string, Partial<typeof widget> | undefined>;
  if (globals[name]?.mount) return;
  const { mount } = widget;
  widget.mount = (...call) => {
    try {
      return mount(...call);
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: The developer of the page reads it there.
      console.error(`${name}.mount`, error);
      return fail(call[0]);
    }
  };
  globals[name] = widget;
}
