import { describe, expect, it } from 'vitest';
import { parseBlock } from './address-block.ts';

describe('parseBlock', () => {
  it.each(['10.0.0.0/8', '203.0.113.7/32', '2001:db8::/32', '::/0'])('reads %s', (text) => {
    expect(parseBlock(text)).not.toBeNull();
  });

  it.each([
    ...['10/8', '172.16/12', '010.0.0.0/8', '0x0a.0.0.0/8', '10.0.0.0', '10.0.0.0/33', ' 10.0.0.0/8'],
    ...['::ffff:203.0.113.0/120', 'fe80::1%lo/64', ''],
  ])('takes no %j', (text) => {
    expect(parseBlock(text)).toBeNull();
  });
});
