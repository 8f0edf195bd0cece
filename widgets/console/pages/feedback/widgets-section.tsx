import { useSearchParams } from 'wouter-preact';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { count, counted } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { State } from '../../parts/table/state.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { ProofState } from '../../parts/workspace/proof-state.tsx';
import { pinnedTag, WidgetTags } from '../../parts/workspace/widget-tag.tsx';
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
      <Table label="Widgets table" class="widgets-list" columns={COLUMNS}>
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
      </Table>
    </section>
  );
}

const COLUMNS: readonly Column[] = [
  'Origin',
  'Origin proof',
  'Feedback',
  ['Open', 'n'],
  ['Held', 'n'],
  ['Done', 'n'],
  'Created',
  { hidden: 'Tags' },
];

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
          <td colSpan={COLUMNS.length}>
            <div class="opened">
              <Tags widget={widget} />
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

function VerifiedState({ widget: { verified } }: { readonly widget: Widget }) {
  if (verified === null) {
    return (
      <State
        tone="idle"
        title="An agent has to verify that a submission arrives. The workspace can then be claimed."
      >
        Not verified
      </State>
    );
  }
  return (
    <State tone="ok" title="An agent has verified that a submission arrives.">
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
          hint: 'Put this tag into the pages of the origin. The tag loads the latest compatible release.',
        },
        {
          title: 'Pinned tag, with digest',
          tag: pinnedTag(release, `async data-widget-id="${widgetId}"`),
          hint: 'Use instead of the tag above if your page pins scripts with Subresource Integrity.',
        },
      ]}
    />
  );
}
