import { Icon } from '../../parts/frame/icon.tsx';
import { absoluteTime } from '../../parts/table/time.tsx';

/** The effects of attaching and of claiming. */
export function Changes({ expiresAt }: { readonly expiresAt: string | null }) {
  return (
    <section aria-labelledby="change">
      <div class="section-head">
        <h2 id="change">What changes, what stays</h2>
      </div>
      <div class="panel changes">
        <List
          title="With attaching"
          changes={[
            'You see the workspace in your console, private rows included',
            'You can approve imports and create capabilities',
          ]}
          stays={[
            ...(expiresAt === null ? [] : [`The preview still ends ${absoluteTime(expiresAt)}`]),
            'The first organization to attach the workspace keeps it',
          ]}
        />
        <List
          title="With claiming, one step later"
          changes={['The 72-hour end is lifted, Free limits apply', 'The provision token ends']}
          stays={['IDs, credentials and snippets don’t change', 'No purchase, no card']}
        />
      </div>
    </section>
  );
}

interface ListProps {
  readonly title: string;
  readonly changes: readonly string[];
  readonly stays: readonly string[];
}

function List({ title, changes, stays }: ListProps) {
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {changes.map((text) => (
          <li key={text}>
            <Icon name="check" />
            <span>{text}</span>
          </li>
        ))}
        {stays.map((text) => (
          <li key={text}>
            <span class="dash" aria-hidden="true" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
