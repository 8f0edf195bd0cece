import { useSearchParams } from 'wouter-preact';
import { count, counted } from '../../parts/numbers.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Scroller } from '../../parts/scroller.tsx';
import { State } from '../../parts/state.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { pinnedTag, WidgetTags } from '../../parts/widget-tag.tsx';
import type { Widget } from './queries.ts';
import { countOf } from './submission-state.ts';
import { viewOf, withView } from './view.ts';

interface WidgetsSectionProps {
  readonly widgets: readonly Widget[];
  /** The widget whose inbox is shown. */
  readonly shown: Widget;
  /** False once the workspace has ended: then the tags are of no use. */
  readonly isLive: boolean;
}

/** The widgets with what is known of them, and their tags. */
export function WidgetsSection({ widgets, shown, isLive }: WidgetsSectionProps) {
  const [params, setParams] = useSearchParams();
  const { tagsOf } = viewOf(params);
  const isOpen = ({ widgetId, counts }: Widget) =>
    isLive &&
    (tagsOf === widgetId || (tagsOf === null && widgetId === shown.widgetId && countOf(counts, null) === 0));
  const toggle = (widget: Widget) =>
    setParams(withView(params, { tags: isOpen(widget) ? 'none' : widget.widgetId }), { replace: true });
  return (
    <section aria-labelledby="widgets">
      <div class="section-head">
        <h2 id="widgets">Widgets</h2>
        <p>{`${counted(widgets.length, 'widget')}. Each takes feedback from the pages of one origin.`}</p>
      </div>
      <Scroller label="Widgets table">
        <table>
          <thead>
            <tr>
              <th scope="col">Origin</th>
              <th scope="col">Origin proof</th>
              <th scope="col">Feedback</th>
              <th scope="col" class="n">
                Open
              </th>
              <th scope="col" class="n">
                Held
              </th>
              <th scope="col" class="n">
                Done
              </th>
              <th scope="col">Created</th>
              <th scope="col">
                <span class="vh">Tags</span>
              </th>
            </tr>
          </thead>
          <Rows>
            {widgets.map((widget) => (
              <WidgetRows
                key={widget.widgetId}
                widget={widget}
                isShown={widgets.length > 1 && widget.widgetId === shown.widgetId}
                isOpen={isOpen(widget)}
                onToggle={isLive ? () => toggle(widget) : null}
              />
            ))}
          </Rows>
        </table>
      </Scroller>
    </section>
  );
}

const COLUMNS = 8;

interface WidgetRowsProps {
  readonly widget: Widget;
  readonly isShown: boolean;
  readonly isOpen: boolean;
  /** Null where the tags are of no use. */
  readonly onToggle: (() => void) | null;
}

function WidgetRows({ widget, isShown, isOpen, onToggle }: WidgetRowsProps) {
  const [params] = useSearchParams();
  const { widgetId, origin, originProved, counts, createdAt } = widget;
  const to = `?${withView(params, { widget: widgetId, submission: null })}`;
  return (
    <>
      <tr aria-selected={isShown || isOpen}>
        <th scope="row" class="clip" title={visibleText(origin)}>
          <PageLink to={to} isCurrent={isShown}>
            {visibleText(origin)}
          </PageLink>
        </th>
        <td>
          <ProofState isProved={originProved} />
        </td>
        <td>
          <VerifiedState widget={widget} />
        </td>
        <td class="n">{count(counts.open)}</td>
        <td class="n">
          {counts.held > 0 ? <span class="count-warn">{count(counts.held)}</span> : count(counts.held)}
        </td>
        <td class="n">{count(counts.done)}</td>
        <td class="muted">
          <RelativeTime at={createdAt} />
        </td>
        <td class="end">
          {onToggle !== null && (
            <button
              type="button"
              class="btn quiet small"
              aria-expanded={isOpen}
              aria-label={`${isOpen ? 'Hide' : 'Show'} tags of ${visibleText(origin)}`}
              onClick={onToggle}
            >
              {isOpen ? 'Hide tags' : 'Show tags'}
            </button>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr class="detail">
          <td colSpan={COLUMNS}>
            <div class="opened">
              <Tags widget={widget} />
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

function ProofState({ isProved }: { readonly isProved: boolean }) {
  return isProved ? (
    <State tone="ok" title="The workspace has proved that it controls this origin.">
      Proved
    </State>
  ) : (
    <State
      tone="idle"
      title="Anyone can name an origin: its pages may be another company’s. A browser check proves it."
    >
      Unproved
    </State>
  );
}

function VerifiedState({ widget: { verified } }: { readonly widget: Widget }) {
  if (verified === null) {
    return (
      <State
        tone="idle"
        title="An agent verifies a submission that has arrived. The workspace can be claimed then."
      >
        Not verified
      </State>
    );
  }
  return (
    <State tone="ok" title="An agent has verified a submission that had arrived.">
      Verified{' '}
      <span class="muted">
        <RelativeTime at={verified.receivedAt} />
      </span>
    </State>
  );
}

function Tags({ widget: { widgetId, snippet } }: { readonly widget: Widget }) {
  return (
    <WidgetTags
      product="svcfeedback"
      tags={(release) => [
        {
          title: 'Tag',
          tag: snippet,
          hint: 'Put it into the pages of the origin. It loads the latest compatible release.',
        },
        {
          title: 'Tag of one release, with its digest',
          tag: pinnedTag(release, `async data-widget-id="${widgetId}"`),
          hint: 'Instead of the tag above, where a page pins its scripts with Subresource Integrity.',
        },
      ]}
    />
  );
}
