/** Scripts that run before those of a page and break what a widget could rely on, by what they leave behind. */
export const BROKEN_PAGES: readonly (readonly [what: string, script: string])[] = [
  [
    'prototypes that an old library has changed',
    `Array.prototype.toJSON = function () { return 'broken' };
     Object.assign(Array.prototype, { each() {}, clear() {}, without() {} });
     Object.prototype.toQueryString = function () {};`,
  ],
  [
    'a storage that throws',
    `for (const name of ['localStorage', 'sessionStorage']) {
       Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError') } });
     }`,
  ],
];
