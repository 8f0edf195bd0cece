/** IPv4 in four decimal numbers: `10.1` and `010.0.0.1` have several readings. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|$)){4}$/;
/** The first six groups of IPv6 addresses that hold an IPv4 address (RFC 4291, RFC 6052, RFC 2765). */
const IPV4_INSIDE: readonly string[] = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0', '0:0:0:0:ffff:0'];
const GROUPS = 8;
/** Of the network that one subscriber has. */
const NETWORK_GROUPS = 4;

/**
 * Returns the identifier of the subscriber behind an IP address: an IPv4 address as it is, also inside of IPv6
 * (`::ffff:192.0.2.1`), and the first 64 bits of an IPv6 address (`2001:db8:1:2::/64`), because a subscriber has all addresses
 * that begin with them. A zone (`%eth0`), brackets and a port are left out.
 *
 * @throws {TypeError} without the text in its message, if it is no address
 */
export function addressKey(address: string | null | undefined): string {
  const bare = String(address)
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  if (IPV4.test(bare)) return bare;
  const url = `http://[${bare}]`;
  if (!/^[\da-f:.]+$/i.test(bare) || !URL.canParse(url)) {
    const seen =
      typeof address === 'string' ? `a string of ${address.length} characters` : String(typeof address);
    throw new TypeError(`addressKey: seen ${seen}, expected an IPv4 or IPv6 address.`);
  }
  const [front = [], back = []] = hostOf(url)
    .split('::')
    .map((groups) => (groups === '' ? [] : groups.split(':')));
  const groups = [...front, ...Array(GROUPS - front.length - back.length).fill('0'), ...back];
  if (IPV4_INSIDE.includes(groups.slice(0, -2).join(':'))) {
    return groups
      .slice(-2)
      .map((group) => Number.parseInt(group, 16))
      .map((value) => `${value >> 8}.${value & 255}`)
      .join('.');
  }
  return `${hostOf(`http://[${groups.slice(0, NETWORK_GROUPS).join(':')}::]`)}/64`;
}

/** The address of a URL in its shortest form (RFC 5952), without brackets. */
function hostOf(url: string): string {
  return new URL(url).hostname.slice(1, -1);
}
