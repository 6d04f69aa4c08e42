import { describe, expect, it } from 'vitest';
import { bytesOf, isIn, kindOf, readRange } from '../../../../src/adapters/webhook/address.js';

describe('an address', () => {
  it.each([
    ['forbidden', '0.0.0.0', '0.1.2.3', '169.254.169.254', '169.254.0.1', '224.0.0.1', '239.255.255.255'],
    ['forbidden', '240.0.0.1', '255.255.255.255', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ['forbidden', '::', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'ff02::1', 'fd00:ec2::254', 'fd20:ce::254'],
    ['forbidden', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '64:ff9b::169.254.169.254', '::169.254.169.254'],
    ['forbidden', '2002:a9fe:a9fe::1', '::ffff:0:169.254.169.254', '64:ff9b:1::a9fe:a9fe', '2001:0:1::1', '100::1'],
    ['forbidden', 'no address', '', '1.2.3', '1.2.3.4.5', '127.1', '0x7f000001', '2130706433', '::g'],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.127.255.255'],
    ['private', 'fc00::1', 'fdff::1', 'fec0::1', '::ffff:10.0.0.1', '198.18.0.1', '64:ff9b::10.0.0.1'],
    ['public', '1.1.1.1', '9.255.255.255', '11.0.0.0', '172.15.0.1', '172.32.0.0', '192.167.1.1', '100.63.0.1'],
    ['public', '100.128.0.0', '223.255.255.255', '126.0.0.1', '128.0.0.1', '169.253.1.1', '2606:4700::1111'],
    ['public', '::ffff:1.1.1.1', 'fbff::1', '2001:1::1'],
  ])('is %s: %s %s %s', (kind, ...addresses) => {
    expect(addresses.map((address) => [address, kindOf(address)])).toEqual(addresses.map((address) => [address, kind]));
  });

  it('of IPv6 is the same in each spelling', () => {
    const bytes = bytesOf('2001:db8:0:0:0:0:0:1');
    expect(bytesOf('2001:db8::1')).toEqual(bytes);
    expect(bytesOf('2001:0DB8:0000::0001')).toEqual(bytes);
    expect(bytes).toHaveLength(16);
  });
});

describe('a range', () => {
  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['192.168.128.0/17', '192.168.127.255', false],
    ['192.168.128.0/17', '192.168.128.0', true],
    ['fd12::/16', 'fd12:ffff::1', true],
    ['fd12::/16', 'fd13::1', false],
    ['fd12::/16', '10.0.0.1', false],
    ['0.0.0.0/0', '10.0.0.1', true],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
  ])('%s has %s in it: %s', (range, address, isInside) => {
    expect(isIn(bytesOf(address) ?? [], readRange(range) ?? { bytes: [], bits: 0 })).toBe(isInside);
  });

  it.each(['', '10.0.0.0/33', 'fd12::/129', 'localhost', '10.0.0/8', '10.0.0.0/', '10.0.0.0/8/8'])(
    'is no range: %j',
    (text) => expect(readRange(text)).toBeUndefined(),
  );
});
