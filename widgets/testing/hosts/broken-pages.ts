/** Scripts that run before those of a page and break what a widget could rely on, by what they leave behind. */
export const BROKEN_PAGES: readonly (readonly [what: string, script: string])[] = [
  [
    'prototypes that an old library has changed',
    `Array.prototype.toJSON = function () { return 'broken' };
     Object.assign(Array.prototype, { each() {}, clear() {}, without() {} });
     Object.prototype.toQueryString = function () {};`,
  ],
  [
    'methods that an old library has replaced',
    `Array.from = (list) => Array.prototype.slice.call(list);
     Array.prototype.entries = function () { return this.slice() };
     Array.prototype.find = function (test) { for (let at = 0; at < this.length; at += 1) if (test(this[at], at)) return this[at] };
     Function.prototype.bind = function (to, ...first) { const bound = this; return function (...rest) { return bound.apply(to, [...first, ...rest]) } };
     Element.prototype.remove = function () { this.parentNode.removeChild(this); return this };
     String.prototype.startsWith = function (start) { return this.lastIndexOf(start, 0) === 0 };`,
  ],
  [
    'a storage that throws',
    `for (const name of ['localStorage', 'sessionStorage']) {
       Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError') } });
     }`,
  ],
];
