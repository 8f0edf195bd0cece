/**
 * The oldest browsers that widgets and console support. The build writes newer syntax and styles out for them, and
 * `testing/young-interfaces.ts` lists what scripts may not call.
 */
export const OLDEST_BROWSERS = { Chrome: '117', Edge: '117', Firefox: '121', Safari: '16.4' };

/** The same as targets of the build: `chrome117`. */
export const BROWSER_TARGETS = Object.entries(OLDEST_BROWSERS).map(
  ([name, version]) => name.toLowerCase() + version,
);

/** The same as a sentence of the documentation. */
export const OLDEST_BROWSERS_SENTENCE = `The oldest browsers are ${new Intl.ListFormat('en').format(
  Object.entries(OLDEST_BROWSERS).map(([name, version]) => `${name} ${version}`),
)}.`;
