import { useQuery } from '@tanstack/preact-query';
import type { Schemas } from '../../api/interface.ts';
import { Fact, Facts } from '../../parts/table/facts.tsx';
import { Identifier, shortened } from '../../parts/table/identifier.tsx';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { optIns } from './next-action.ts';
import { memberNamesQuery } from './queries.ts';

interface WorkspaceFactsProps {
  readonly workspace: Schemas['Workspace'];
  /** Absent while it is read. */
  readonly overview: Schemas['WorkspaceOverview'] | undefined;
}

/** Ids, opt-ins, times and people of a workspace. */
export function WorkspaceFacts({ workspace, overview }: WorkspaceFactsProps) {
  const { data: names, error } = useQuery(memberNamesQuery);
  const { workspaceId, installationId, cohort, products, createdAt, attachedAt, claimedAt, expiresAt } =
    workspace;
  const person = (userId: string) => {
    if (names !== undefined) return visibleText(names.get(userId) ?? 'a former member');
    return error === null ? '' : shortened(userId);
  };
  return (
    <section aria-labelledby="facts">
      <div class="section-head">
        <h2 id="facts">Facts</h2>
      </div>
      <Facts>
        <Fact name="Workspace">
          <Identifier value={workspaceId} name="workspace id" />
        </Fact>
        <Fact name="Installation">
          <Identifier value={installationId} name="installation id" />
        </Fact>
        <Fact name="Cohort">{cohort}</Fact>
        <Fact name="Opt-ins">{optIns(products)}</Fact>
        <Fact name="Created by agent">
          <AbsoluteTime at={createdAt} />
        </Fact>
        <Fact name="Attached">
          <AbsoluteTime at={attachedAt} />
        </Fact>
        {overview !== undefined && <Fact name="Attached by">{person(overview.attachedBy)}</Fact>}
        <Fact name="Claimed">{claimedAt === null ? 'not yet' : <AbsoluteTime at={claimedAt} />}</Fact>
        {overview !== undefined && overview.claimedBy !== null && (
          <Fact name="Claimed by">{person(overview.claimedBy)}</Fact>
        )}
        <Fact name="Ends">{expiresAt === null ? 'no end' : <AbsoluteTime at={expiresAt} />}</Fact>
      </Facts>
    </section>
  );
}
