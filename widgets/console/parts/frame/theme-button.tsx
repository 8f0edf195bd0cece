import { Icon } from './icon.tsx';
import { switchTheme } from './theme.ts';

/** Switches between light and dark. */
export function ThemeButton() {
  return (
    <button type="button" class="btn quiet square" aria-label="Change theme" onClick={switchTheme}>
      <Icon name="theme" />
    </button>
  );
}
