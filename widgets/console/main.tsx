import './style/all.css';
import { render } from 'preact';
import { Console } from './app/console.tsx';
import { noteMissingStyles } from './app/load-page.ts';
import { loadPage } from './app/pages.ts';
import { keepTranslatedTexts } from './app/translated-texts.ts';
import { guardPresses } from './parts/form/press-guard.ts';
import { applyTheme } from './parts/frame/theme.ts';
import { warm, warmWith } from './parts/loading/warm.ts';
import { leadLostFocus } from './parts/table/lost-focus.ts';

applyTheme();
guardPresses();
noteMissingStyles();
leadLostFocus();
keepTranslatedTexts();
warmWith(loadPage);
// Meanwhile the session is read, without which the page is not shown.
warm(location.pathname);
const root = document.getElementById('app');
if (root === null) throw new Error('starting the console: the page has no element #app');
render(<Console />, root);
