import { Identifier } from '../../parts/table/identifier.tsx';
import { Rows } from '../../parts/table/rows.tsx';
import { Table } from '../../parts/table/table.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import type { Origin, Profile } from './queries.ts';

const DEVICES: Readonly<Record<Profile['device'], string>> = {
  desktop: 'Desktop, 1280 by 720',
  mobile: 'Phone, 390 by 844',
};

interface ProfilesProps {
  readonly profiles: readonly Profile[];
  readonly origins: readonly Origin[];
}

/** The ways in which runs look at pages. */
export function ProfilesSection({ profiles, origins }: ProfilesProps) {
  if (profiles.length === 0) return null;
  return (
    <section aria-labelledby="profiles">
      <div class="section-head">
        <h2 id="profiles">Access profiles</h2>
        <p>Device, language and time zone used for a run</p>
      </div>
      <Table
        label="Access profiles table"
        columns={['Profile', 'Origin', 'Device', 'Language and time zone', 'May load from', 'Id']}
      >
        <Rows>
          {profiles.map((profile) => (
            <ProfileRow key={profile.accessProfileId} profile={profile} origins={origins} />
          ))}
        </Rows>
      </Table>
    </section>
  );
}

function ProfileRow({
  profile,
  origins,
}: {
  readonly profile: Profile;
  readonly origins: readonly Origin[];
}) {
  const { accessProfileId, originId, device, locale, timezone, allowedHosts } = profile;
  const name = visibleText(profile.name);
  const origin = origins.find((each) => each.originId === originId)?.origin ?? originId;
  const places = [locale, timezone].filter((place) => place !== undefined);
  return (
    <tr>
      <th scope="row" class="clip" title={name}>
        {name}
      </th>
      <td class="clip">{visibleText(origin)}</td>
      <td>{DEVICES[device]}</td>
      <td>
        {places.length === 0 ? (
          <span class="muted">the browser’s own</span>
        ) : (
          places.map(visibleText).join(', ')
        )}
      </td>
      <td class="wrap">
        {allowedHosts === undefined ? (
          <span class="muted">every public host</span>
        ) : (
          ['the origin', ...allowedHosts.map(visibleText)].join(', ')
        )}
      </td>
      <td>
        <Identifier value={accessProfileId} name={`id of ${name}`} />
      </td>
    </tr>
  );
}
