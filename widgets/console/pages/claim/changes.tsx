import { Icon } from '../../parts/icon.tsx';
import { absoluteTime } from '../../parts/time.tsx';

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
            'You see it in your console, with its private rows',
            'You can approve imports and create capabilities',
          ]}
          stays={[
            ...(expiresAt === null ? [] : [`It stays a preview and ends ${absoluteTime(expiresAt)}`]),
            'The first organization to attach it keeps it',
          ]}
        />
        <List
          title="With claiming, one step later"
          changes={['The 72-hour end is lifted, Free limits apply', 'The provision token ends']}
          stays={[
            'Ids, credentials and snippets stay as they are',
            'No plan is bought and no card is asked for',
          ]}
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
