import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { mayDecide, useMembership } from '../../api/session.ts';
import { useShortcuts } from '../../parts/frame/shortcuts.ts';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { Countdown, useNow } from '../../parts/table/time.tsx';
import { type Place, type Run, screenshotQuery } from './queries.ts';
import { isOpen } from './run-pace.ts';

interface ScreenshotProps {
  readonly place: Place;
  readonly run: Run;
}

/** The picture of the last page: private, for owners and admins, until its end. */
export function ScreenshotSection({ place, run }: ScreenshotProps) {
  const { role } = useMembership();
  const now = useNow();
  const { screenshotExpiresAt: until } = run;
  const isKept = until !== null && now < Date.parse(until);
  return (
    <section aria-labelledby="screenshot">
      <div class="section-head">
        <h2 id="screenshot">Screenshot</h2>
        {until !== null && isKept && (
          <p>
            Deleted <Countdown until={until} isUnderEnds />
          </p>
        )}
      </div>
      {!mayDecide(role) ? (
        <p class="hint">The picture is private. Owners and admins see it; you are a member.</p>
      ) : isKept ? (
        <Picture place={place} />
      ) : (
        <p class="hint">{withoutPicture(run)}</p>
      )}
    </section>
  );
}

function withoutPicture(run: Run): string {
  if (isOpen(run)) return 'A screenshot of the last page is taken at the end of the run.';
  return run.finalUrl === null
    ? 'No screenshot: the run did not open a page.'
    : 'The screenshot was deleted: after seven days, or with the preview.';
}

/** Shows the picture once a person asks for it, because the audit log records each look. */
function Picture({ place }: { readonly place: Place }) {
  const [isWanted, setWanted] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const found = useQuery({ ...screenshotQuery(place), enabled: isWanted });
  const address = useObjectUrl(found.data);
  useShortcuts([{ keys: 's', about: 'Go to the screenshot', run: () => button.current?.focus() }]);
  if (found.error !== null) {
    return <ReadProblem query={found} title="The screenshot could not be read" />;
  }
  return (
    <div class="panel picture">
      {address === null ? (
        <div class="panel-body">
          <button
            type="button"
            class="btn"
            ref={button}
            aria-disabled={isWanted}
            onClick={() => setWanted(true)}
          >
            {isWanted ? 'Loading the screenshot' : 'Show the screenshot'}
          </button>
          <p class="hint">The audit log records that you look at it.</p>
        </div>
      ) : (
        <img src={address} alt="The last page as the run left it" />
      )}
    </div>
  );
}

/** An address of a file in the page's memory, for as long as it is shown. */
function useObjectUrl(file: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (file === undefined) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => {
      URL.revokeObjectURL(made);
      setAddress(null);
    };
  }, [file]);
  return address;
}
