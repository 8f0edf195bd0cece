import './style/all.css';
import { render } from 'preact';
import { Console } from './app/console.tsx';
import { loadPage } from './app/pages.ts';
import { leadLostFocus } from './parts/lost-focus.ts';
import { guardPresses } from './parts/press-guard.ts';
import { applyTheme } from './parts/theme.ts';
import { warmWith } from './parts/warm.ts';

applyTheme();
guardPresses();
leadLostFocus();
warmWith(loadPage);
const root = document.getElementById('app');
if (root === null) throw new Error('starting the console: the page has no element #app');
render(<Console />, root);
