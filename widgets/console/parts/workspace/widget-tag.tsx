import '../../style/widget-tag.css';
import { useQuery } from '@tanstack/preact-query';
import { useId } from 'preact/hooks';
import { capabilitiesQuery, type Release, releaseOf, type WidgetProduct } from '../../api/capabilities.ts';
import { ProblemPanel } from '../loading/problem-panel.tsx';
import { CopyButton } from '../table/identifier.tsx';

/** A tag that a page takes over as it is. */
export interface Tag {
  readonly title: string;
  readonly tag: string;
  readonly hint: string;
}

interface WidgetTagsProps {
  readonly product: WidgetProduct;
  /** The tags, given the release of the script. */
  readonly tags: (release: Pick<Release, 'url' | 'integrity'>) => readonly Tag[];
}

/** Base64 of a SHA-256. */
const DIGEST_CHARACTERS = 44;

/** Takes the same place as the release that is read. */
function toCome(product: WidgetProduct): Pick<Release, 'url' | 'integrity'> {
  return {
    url: `${location.origin}/downloads/${product}-widget-v0.0.0.js`,
    integrity: `sha256-${'0'.repeat(DIGEST_CHARACTERS)}`,
  };
}

/** The tags of a widget to copy, and the digest of its script for Subresource Integrity. */
export function WidgetTags({ product, tags }: WidgetTagsProps) {
  const { data, error, refetch } = useQuery(capabilitiesQuery);
  const release = data === undefined ? null : releaseOf(data, product);
  if (data === undefined && error !== null) {
    return <ProblemPanel error={error} title="The tags could not be read" onRetry={() => void refetch()} />;
  }
  if (data !== undefined && release === null) {
    return (
      <p class="hint">The script of the widget is not part of this service. Build it with npm run build.</p>
    );
  }
  const { url, integrity } = release ?? toCome(product);
  return (
    <div class={release === null ? 'widget-tags coming' : 'widget-tags'} aria-busy={release === null}>
      {tags({ url, integrity }).map((tag) => (
        <TagBox key={tag.title} {...tag} />
      ))}
      <TagBox
        title="Digest of the script (SRI)"
        tag={integrity}
        hint={`${url.split('/').at(-1) ?? url} never changes. A browser that knows the digest runs no other script.`}
      />
    </div>
  );
}

type SectionProps = WidgetTagsProps & { readonly about: string };

/** The section of a page with the tags of its widget. */
export function WidgetSection({ about, ...tags }: SectionProps) {
  return (
    <section aria-labelledby="widget">
      <div class="section-head">
        <h2 id="widget">Widget</h2>
        <p>{about}</p>
      </div>
      <details class="panel panel-body folded">
        <summary>Tags to copy</summary>
        <WidgetTags {...tags} />
      </details>
    </section>
  );
}

function TagBox({ title, tag, hint }: Tag) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <div class="digest">
        <code>{tag}</code>
        <CopyButton value={tag} label={`Copy: ${title}`} />
      </div>
      <p class="hint">{hint}</p>
    </section>
  );
}

/** The tag that names one release with its digest. */
export function pinnedTag(
  { url, integrity }: Pick<Release, 'url' | 'integrity'>,
  attributes: string,
): string {
  return `<script ${attributes} src="${url}" integrity="${integrity}" crossorigin="anonymous"></script>`;
}
