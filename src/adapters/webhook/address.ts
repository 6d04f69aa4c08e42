import { isIP } from 'node:net';

/**
 * The kind of an address for a webhook. `forbidden`: an address without a server, or one that only the machine itself
 * uses: link-local and metadata addresses, unspecified, multicast, broadcast, reserved ones. `private`: an address of a
 * private network.
 */
export type AddressKind = 'public' | 'private' | 'loopback' | 'forbidden';

/** The addresses whose first `bits` bits are those of `bytes`. */
export interface Range {
  readonly bytes: readonly number[];
  readonly bits: number;
}

/** The first match counts. */
const kinds = parsed<AddressKind>([
  // Metadata services of clouds outside the link-local range: AWS, Alibaba, Azure, Oracle, Google.
  ['fd00:ec2::/32', 'forbidden'],
  ['100.100.100.200/32', 'forbidden'],
  ['168.63.129.16/32', 'forbidden'],
  ['192.0.0.0/24', 'forbidden'],
  ['fd20:ce::/32', 'forbidden'],
  ['0.0.0.0/8', 'forbidden'],
  ['169.254.0.0/16', 'forbidden'],
  ['224.0.0.0/4', 'forbidden'],
  ['240.0.0.0/4', 'forbidden'],
  ['127.0.0.0/8', 'loopback'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'private'],
  ['172.16.0.0/12', 'private'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'private'],
  ['::1/128', 'loopback'],
  ['::/128', 'forbidden'],
  ['fe80::/10', 'forbidden'],
  ['ff00::/8', 'forbidden'],
  ['2001::/32', 'forbidden'],
  ['100::/64', 'forbidden'],
  // In this range an IPv4 address may be embedded at any position.
  ['64:ff9b:1::/48', 'forbidden'],
  ['fec0::/10', 'private'],
  ['fc00::/7', 'private'],
]);

/** Ranges of IPv6 addresses with an embedded IPv4 address, and its offset. */
const embeddings = parsed<number>([
  ['::ffff:0:0/96', 12],
  ['::ffff:0:0:0/96', 12],
  ['64:ff9b::/96', 12],
  ['2002::/16', 2],
  ['::/96', 12],
]);

/**
 * The bytes of an address, 4 or 16; for one with an embedded IPv4 address, those of the latter. Undefined for an
 * invalid address.
 */
export function bytesOf(address: string): readonly number[] | undefined {
  const plain = address.replace(/%.*$/, '');
  const version = isIP(plain);
  if (version === 0) return undefined;
  if (version === 4) return plain.split('.').map(Number);
  const bytes = bytesOfSix(plain);
  // The unspecified address and loopback are in the last of these ranges but have no embedded address.
  const isItself = bytes.slice(0, 15).every((byte) => byte === 0) && (bytes[15] ?? 0) <= 1;
  const embedding = isItself ? undefined : embeddings.find(([range]) => isIn(bytes, range));
  return embedding === undefined ? bytes : bytes.slice(embedding[1], embedding[1] + 4);
}

/** The kind of an address in any form; an invalid one is forbidden. */
export function kindOf(address: string): AddressKind {
  const bytes = bytesOf(address);
  if (bytes === undefined) return 'forbidden';
  return kinds.find(([range]) => isIn(bytes, range))?.[1] ?? 'public';
}

/** Parses a range in CIDR notation, or one address. Undefined for anything else. */
export function readRange(text: string): Range | undefined {
  const [, address = '', digits] = /^([0-9a-fA-F:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bytes = isIP(address) === 6 ? bytesOfSix(address) : bytesOf(address);
  if (bytes === undefined) return undefined;
  const bits = digits === undefined ? bytes.length * 8 : Number(digits);
  return bits <= bytes.length * 8 ? { bytes, bits } : undefined;
}

/** Whether an address is in a range of the same family. */
export function isIn(bytes: readonly number[], range: Range): boolean {
  if (bytes.length !== range.bytes.length) return false;
  return bytes.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, range.bits - index * 8));
    const mask = (0xff << (8 - bits)) & 0xff;
    return (byte & mask) === ((range.bytes[index] ?? 0) & mask);
  });
}

function parsed<T>(rows: readonly (readonly [range: string, means: T])[]): readonly (readonly [Range, T])[] {
  return rows.map(([text, means]) => {
    const range = readRange(text);
    if (range === undefined) throw new Error(`${text} is no range of addresses`);
    return [range, means];
  });
}

function bytesOfSix(address: string): readonly number[] {
  const [head = '', tail] = inHexadecimal(address).split('::');
  const [before, behind] = [groupsOf(head), groupsOf(tail ?? '')];
  const missing = tail === undefined ? 0 : 8 - before.length - behind.length;
  const groups = [...before, ...Array.from({ length: missing }, () => 0), ...behind];
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** Converts a trailing IPv4 address, in which the last 32 bits may be written. */
function inHexadecimal(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
}
