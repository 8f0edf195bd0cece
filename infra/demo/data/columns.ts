/** One event of the feed, as far as the file uses it; numbers keep the text in which the feed wrote them. */
export interface FeedEvent {
  readonly id: string;
  readonly properties: {
    readonly net: string;
    readonly code: string;
    /** Unix milliseconds. */
    readonly time: number;
    readonly place: string;
    readonly title: string;
    readonly mag: number;
    readonly magType: string;
    readonly nst: number | null;
    readonly dmin: number | null;
    readonly rms: number | null;
    readonly sig: number;
    readonly felt: number | null;
    readonly tsunami: 0 | 1;
    readonly status: string;
    readonly type: string;
    /** Names between commas, with one before the first and one after the last. */
    readonly types: string;
  };
  /** Degrees east, degrees north, kilometres below the surface. */
  readonly geometry: { readonly coordinates: readonly [number, number, number] };
}

/** The columns of the file in their order: the header's name, and the cell of an event. */
export const COLUMNS: Readonly<Record<string, (event: FeedEvent) => string>> = {
  Event: ({ id }) => id,
  Network: ({ properties }) => properties.net,
  Code: ({ properties }) => properties.code,
  Date: ({ properties }) => americanDate(properties.time),
  'Time (UTC)': ({ properties }) => new Date(properties.time).toISOString().slice(11, -1),
  'Modified Julian date': ({ properties }) => modifiedJulianDate(properties.time),
  Latitude: ({ geometry }) => String(geometry.coordinates[1]),
  Longitude: ({ geometry }) => String(geometry.coordinates[0]),
  'Depth (km)': ({ geometry }) => String(geometry.coordinates[2]),
  Magnitude: ({ properties }) => String(properties.mag),
  'Magnitude type': ({ properties }) => properties.magType,
  Stations: ({ properties }) => optional(properties.nst),
  'Nearest station (°)': ({ properties }) => optional(properties.dmin),
  'Residual (s)': ({ properties }) => optional(properties.rms),
  Significance: ({ properties }) => String(properties.sig),
  'Felt reports': ({ properties }) => optional(properties.felt),
  Tsunami: ({ properties }) => String(properties.tsunami === 1),
  Kind: ({ properties }) => properties.type,
  Place: ({ properties }) => properties.place,
  Status: ({ properties }) => properties.status,
  Remarks: remarks,
};

const DAY_MS = 86_400_000n;
/** The modified Julian date of 1970-01-01T00:00Z. */
const MJD_OF_EPOCH = 40_587n;
const MJD_DECIMALS = 18;

/** Days since 1858-11-17T00:00Z, cut after 18 decimals: more digits than a floating-point number can hold. */
function modifiedJulianDate(time: number): string {
  const scale = 10n ** BigInt(MJD_DECIMALS);
  const scaled = (BigInt(time) * scale) / DAY_MS + MJD_OF_EPOCH * scale;
  return `${scaled / scale}.${String(scaled % scale).padStart(MJD_DECIMALS, '0')}`;
}

function americanDate(time: number): string {
  const [year, month, day] = new Date(time).toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

function optional(value: number | null): string {
  return value === null ? '' : String(value);
}

/** Three lines made of the event's own fields, with quotes in the first. */
function remarks({ id, properties, geometry }: FeedEvent): string {
  const [longitude, latitude, depth] = geometry.coordinates;
  const north = `${Math.abs(latitude)}° ${latitude < 0 ? 'S' : 'N'}`;
  const east = `${Math.abs(longitude)}° ${longitude < 0 ? 'W' : 'E'}`;
  const products = properties.types.split(',').filter((name) => name !== '');
  return [
    `"${properties.title}"`,
    `${north}, ${east}, ${depth} km deep`,
    `Catalogued as ${id} with ${products.join(', ')}`,
  ].join('\n');
}
