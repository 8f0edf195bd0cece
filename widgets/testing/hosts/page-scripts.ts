// What scripts of customers' pages do to a widget. Each is the script of a page, in a few lines.

/**
 * Shortcuts of single keys, a place for pasted files and a dialog that Escape closes, in both phases of an event. As most do, they
 * leave out fields by the target of the event. `heard` has what they took. (In the capturing phase, the page sees that there was an
 * input: the widget has to hear of it too.)
 */
export const SHORTCUTS = `globalThis.heard = [];
  const isField = ({ target }) => target instanceof Element && target.matches('input, textarea, select');
  for (const type of ['keydown', 'keypress', 'keyup', 'input', 'paste', 'copy', 'cut']) {
    for (const isCapturing of type === 'input' ? [false] : [true, false]) {
      document.addEventListener(type, (event) => {
        if (isField(event) || event.key === 'Tab') return;
        heard.push(type + ' ' + (event.key ?? ''));
        event.preventDefault();
      }, isCapturing);
    }
  }
  document.addEventListener('keydown', ({ key }) => { globalThis.tabbed = key === 'Tab' }, true);`;

/**
 * The navigations of libraries that replace a page's content, without the request: each shows another page of this HTML.
 *
 * - `turbo`: Turbo Drive. The page before is copied for the history, the body is replaced, elements with `data-turbo-permanent` are
 *   moved into the new one by way of a placeholder, and its scripts run again. `turboBack` shows the copy.
 * - `htmx`: a boosted link. The content of the body is replaced. `htmxBack` parses what the history has as text.
 * - `astro`: the client router, in a view transition: the body is replaced, and elements with `transition:persist` are moved.
 * - `morph`: Idiomorph, as Turbo refreshes a page: what the new page lacks is removed, and attributes become those of the new page.
 */
export const NAVIGATIONS = `
  const parse = (html) => new DOMParser().parseFromString(html, 'text/html').body;
  const runScripts = (root) => {
    for (const old of root.querySelectorAll('script')) {
      const script = document.createElement('script');
      for (const { name, value } of old.attributes) script.setAttribute(name, value);
      old.replaceWith(script);
    }
  };
  const replaceBody = async (next, kept, moved) => {
    const before = document.body;
    const pairs = [...before.querySelectorAll('[' + kept + ']')].flatMap((element) => {
      const other = next.querySelector('#' + element.id);
      if (other === null) return [];
      const placeholder = document.createElement('meta');
      other.replaceWith(placeholder);
      return [[element, placeholder]];
    });
    runScripts(next);
    document.documentElement.replaceChild(document.adoptNode(next), before);
    await null;
    for (const [element, placeholder] of pairs) {
      element.replaceWith(element.cloneNode(true));
      placeholder.replaceWith(element);
    }
    document.dispatchEvent(new Event(moved));
  };
  let copy = null;
  globalThis.navigations = {
    async turbo(html) {
      copy = document.body.cloneNode(true);
      await replaceBody(parse(html), 'data-turbo-permanent', 'turbo:load');
    },
    turboBack: () => replaceBody(copy, 'data-turbo-permanent', 'turbo:load'),
    async htmx(html) {
      copy = document.body.innerHTML;
      document.body.replaceChildren(...parse(html).childNodes);
      runScripts(document.body);
      document.dispatchEvent(new Event('htmx:afterSettle'));
    },
    async htmxBack() {
      document.body.innerHTML = copy;
      document.dispatchEvent(new Event('htmx:historyRestore'));
    },
    async astro(html) {
      const transition = document.startViewTransition(() =>
        replaceBody(parse(html), 'data-astro-transition-persist', 'astro:page-load'));
      await transition.finished;
    },
    async morph(html) {
      const next = parse(html);
      const keep = (element) => element.hasAttribute('data-turbo-permanent');
      const morph = (old, wanted) => {
        for (const { name } of [...old.attributes]) if (!wanted.hasAttribute(name)) old.removeAttribute(name);
        for (const { name, value } of wanted.attributes) old.setAttribute(name, value);
        const rest = [...old.children];
        for (const child of wanted.children) {
          const at = rest.findIndex((each) => each.tagName === child.tagName && each.id === child.id);
          if (at === -1) old.append(child.cloneNode(true));
          else {
            const [same] = rest.splice(at, 1);
            if (!keep(same)) morph(same, child);
          }
        }
        for (const each of rest) if (!keep(each)) each.remove();
      };
      morph(document.body, next);
      document.dispatchEvent(new Event('turbo:load'));
    },
  };`;

/**
 * The translation of a browser: it puts each text into \`<font>\` and writes another one, also into what the page adds later, and leaves
 * out what says \`translate="no"\`.
 */
export const TRANSLATION = `
  const isLeftOut = (node) => node.parentElement?.closest('[translate=no], style, script, textarea') !== null;
  const translate = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (text.data.trim() === '' || text.parentElement?.closest('font') || isLeftOut(text)) continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = '«' + text.data + '»';
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  globalThis.translatePage = (root) => {
    translate(root);
    new MutationObserver(() => translate(root)).observe(root, { childList: true, subtree: true, characterData: true });
  };`;
