import { createHash } from 'node:crypto';
import { importBytes } from 'ipfs-unixfs-importer';
import { describe, expect, it } from 'vitest';
import { cidOf } from '../../../../src/sharedstore/content/cid.js';
import { digestBytes, leafBytes, leafCount, leafDigest, rootOf } from '../../../../src/sharedstore/content/tree.js';

/** The payload whose hash and name are published (docs/protocol.md §3.2). */
const payload = [
  '{"version":1,"id":"5e8d2f10-9a4b-4c3d-8e7f-6a5b4c3d2e10","type":"broadcast","namespace":"default","node":"77',
  'e9474b-8692-86e7-89a6-23438b369acf","author":"did:parley:org/alice","key":"0x7e5f4552091a69125d5dfcb7b8c2659',
  '029395bdf","tx":{"type":"batch_pin","id":"c0a7e1d4-5b62-4f3a-9c8d-7e6f5a4b3c21"},"created":"2026-01-15T10:00',
  ':00.124Z","messages":[{"header":{"id":"9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01","type":"broadcast","txtype":"ba',
  'tch_pin","author":"did:parley:org/alice","key":"0x7e5f4552091a69125d5dfcb7b8c2659029395bdf","created":"2026-',
  '01-15T10:00:00.120Z","namespace":"default","topics":["orders"],"tag":"new_order","datahash":"36dc1f7a50f65a5',
  '047332d310a3185899259982fa38322e60147fda4e112751a"},"hash":"31cfbd9ee7d82d682048608c427a02676d3b063b39e30f05',
  '633cde7060140dd1","data":[{"id":"3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11","hash":"bb607708bce7a131655b8636e9e7e',
  'afbdbec1597c6ec25aa5df63046adb7ae81"}]}],"data":[{"id":"3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11","validator":"j',
  'son","hash":"bb607708bce7a131655b8636e9e7eafbdbec1597c6ec25aa5df63046adb7ae81","created":"2026-01-15T10:00:0',
  '0.118Z","value":{"order":17,"sku":"A-1","price":1.50}}]}',
].join('');

function treeOf(bytes: Uint8Array): { cid: string; treeBytes: number } {
  const digests = Array.from({ length: leafCount(bytes.length) }, (_, index) =>
    leafDigest(bytes.subarray(index * leafBytes, (index + 1) * leafBytes)),
  );
  const { digest, treeBytes } = rootOf(Buffer.concat(digests), bytes.length);
  return { cid: cidOf(digest), treeBytes };
}

/** Bytes that differ from leaf to leaf and are the same in every run. */
function patterned(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes, 'parley');
  for (let start = 0; start + 4 <= sizeBytes; start += 65_536) bytes.writeUInt32LE(start, start);
  return bytes;
}

describe('the tree over a file', () => {
  it.each([
    ['nothing', '', 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH'],
    ['hello world', 'hello world\n', 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o'],
    ['the published payload', payload, 'QmTxs2eueNqc9hnYzqXytzuQs4jGUAC7SDoQWeNsUbedtB'],
  ])('gives %s the CID that Kubo gives it', (_what, text, cid) => {
    expect(treeOf(Buffer.from(text)).cid).toBe(cid);
  });

  it('is tested with the published payload, byte for byte', () => {
    const hash = createHash('sha256').update(payload).digest('hex');
    expect(hash).toBe('a2a36966727dbba4884039dcc84592c62632fb834874f74376d95d278565979a');
  });

  const links = 174 * leafBytes;
  it.each([0, 1, 127, 128, 16_383, 16_384, leafBytes - 1, leafBytes, leafBytes + 1, links - 1, links, links + 1])(
    'is the one that the IPFS importer builds over %i bytes',
    async (sizeBytes) => {
      const bytes = patterned(sizeBytes);
      const blockstore: Parameters<typeof importBytes>[1] = { put: (cid) => cid };
      const theirs = await importBytes(bytes, blockstore, { profile: 'unixfs-v0-2015', rawLeaves: false });
      const ours = treeOf(bytes);
      expect(ours.cid).toBe(theirs.cid.toString());
      expect(ours.treeBytes).toBe(Number(theirs.size));
    },
  );

  // Files of zeros. The CIDs are from another implementation, since the importer writes such sizes incorrectly.
  it.each([
    [2 * 1_073_741_824, 'QmTbKT35oQzKgR34LUHaPdtrFrphjxiQJLrz6QMyU4kQNC', 2_147_994_442],
    [3 * 1_073_741_824, 'QmWgq5SPSUwwAWZ5DoyEavDPgojLvFtHEofKMRopvTWqT9', 3_221_991_599],
    [4 * 1_073_741_824 - 1, 'QmW3V6ajXZLDty6avLAuXzFEZmcUcC2TYeygporDWYiZRA', 4_295_988_813],
    [5 * 1_073_741_824, 'QmPFEywVfA5TNsbHkHSBnrBZGFt6Nj6ZHHnZM8mSWX2JKq', 5_369_985_971],
  ])('gives %i zeros the CID of another implementation', (sizeBytes, cid, treeBytes) => {
    const digests = Buffer.alloc(leafCount(sizeBytes) * digestBytes, leafDigest(Buffer.alloc(leafBytes)));
    const lastBytes = sizeBytes - (leafCount(sizeBytes) - 1) * leafBytes;
    leafDigest(Buffer.alloc(lastBytes)).copy(digests, digests.length - digestBytes);
    const root = rootOf(digests, sizeBytes);
    expect([cidOf(root.digest), root.treeBytes]).toEqual([cid, treeBytes]);
  });

  it('counts sizes beyond 32 bits exactly', () => {
    const sizeBytes = 5 * 1_073_741_824;
    const digests = Buffer.alloc(leafCount(sizeBytes) * digestBytes, 7);
    const root = rootOf(digests, sizeBytes);
    expect(root.treeBytes).toBeGreaterThan(sizeBytes);
    expect(rootOf(digests, sizeBytes - 1).digest.equals(root.digest)).toBe(false);
  });

  it('changes with any leaf and with the size', () => {
    const sizeBytes = 180 * leafBytes;
    const digests = Buffer.alloc(180 * digestBytes, 1);
    const root = rootOf(digests, sizeBytes).digest;
    for (const index of [0, 173, 174, 179]) {
      const changed = Buffer.from(digests);
      changed[index * digestBytes] = 2;
      expect(rootOf(changed, sizeBytes).digest.equals(root)).toBe(false);
    }
    expect(rootOf(digests, sizeBytes - 1).digest.equals(root)).toBe(false);
  });
});
