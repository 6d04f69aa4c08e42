import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { networkLimits } from '../../../src/domain/network/limits.js';
import {
  deep,
  expectConfirmed,
  expectDelivered,
  long,
  maxValueBytes,
  members,
  pool,
  post,
  upload,
  valued,
  ways,
} from '../../support/at-limits.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

const { maxDataItems, maxGroupMembers, maxNameCharacters, maxTopics, maxValueDepth } = networkLimits;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i));
const name = (character: string, characters: number = maxNameCharacters) => character.repeat(characters);
const topics = (count: number) => Array.from({ length: count }, (_, i) => `${i}`.padStart(maxNameCharacters, 't'));
const aDatatype = { name: name('d'), version: name('1') };

let network: TestNetwork;

beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob', 'carol']);
  for (let i = 3; i < maxGroupMembers; i++) {
    const key = `0x${(i + 100).toString(16).padStart(40, '0')}`;
    const publicKeyHash = (i + 100).toString(16).padStart(64, '0');
    const organization = `o${i}`.padEnd(maxNameCharacters, 'x');
    network.ledger.addMember({ organization, key, node: `${organization.slice(0, -1)}n`, endpoint: '', publicKeyHash });
  }
  const defined = await post(network.node, 'datatypes?confirm=true', JSON.stringify({ ...aDatatype, value: {} }));
  expect(defined.status, defined.text).toBe(200);
  const created = await post(
    network.node,
    'tokens/pools?confirm=true',
    JSON.stringify({ name: pool, type: 'fungible' }),
  );
  expect(created.status, created.text).toBe(200);
}, 60_000);

afterAll(async () => {
  for (const { fatal } of network.nodes) expect(fatal).toEqual([]);
  await network.stop();
});

describe.each(Object.entries(ways))('%s', (_, way) => {
  it.each([maxValueDepth - 2, maxValueDepth - 1, maxValueDepth])('carries a value of %i levels', async (levels) => {
    await expectDelivered(network, way, { data: valued(deep(levels), deep(levels, 'objects')) });
  });

  it('is refused with a value that is one level deeper', async () => {
    const { status } = await post(network.node, way.path, way.body({ data: valued(deep(maxValueDepth + 1)) }));
    expect(status).toBe(400);
  });

  it('carries as many bytes as a message may have, and is refused with one more', async () => {
    await expectDelivered(network, way, { data: valued(long(maxValueBytes)) });
    const { status } = await post(network.node, way.path, way.body({ data: valued(long(maxValueBytes + 1)) }));
    expect(status).toBe(400);
  });

  it('carries as many items as a message may have, and is refused with one more', async () => {
    await expectDelivered(network, way, { data: valued(...numbers(maxDataItems)) });
    const data = valued(...numbers(maxDataItems + 1));
    expect((await post(network.node, way.path, way.body({ data }))).status).toBe(400);
  });

  it('has topics, tag and idempotency key of the maximum length and number', async () => {
    const header = { topics: topics(maxTopics), tag: name('g'), cid: '00000000-0000-4000-8000-000000000001' };
    const more = way.path.startsWith('tokens')
      ? {}
      : { idempotencyKey: `${way.body({ data: '[]' }).length}-`.padEnd(256, 'k') };
    await expectDelivered(network, way, { header, data: valued('1'), more });
  });

  it('carries values of every spelling', async () => {
    const values = ['null', '1e400', '-0', '"\\ud800"', '{"a":1,"a":{"a":2}}', ' [ 1.50 , "\\u0041" ] ', '"\u2028é"'];
    await expectDelivered(network, way, { data: valued(...values) });
  });

  it('carries a value of a datatype whose name and version are as long as they may be', async () => {
    const item = `{"value":${deep(maxValueDepth)},"datatype":${JSON.stringify(aDatatype)}}`;
    await expectDelivered(network, way, { data: `[${item},{"value":1,"validator":"none"}]` });
  });

  it('carries files of every name and size', async () => {
    const labels = JSON.stringify({ path: 'p'.repeat(300), filename: '\ud800"\\\u0001é'.repeat(8) });
    const forms = [
      { autometa: 'true', file: ['', 'empty'] },
      { autometa: 'true', file: ['a', 'é'.repeat(127)] },
      { metadata: deep(maxValueDepth), file: ['b', '../../etc/passwd'] },
      { metadata: labels, file: ['c', 'c'] },
      { metadata: '{"name":"\\ud800"}', file: ['d', 'd'], validator: 'none' },
      { metadata: long(60_000), file: ['e'.repeat(1_000_000), 'e'] },
      { metadata: '1', file: ['f', 'f'], 'datatype.name': aDatatype.name, 'datatype.version': aDatatype.version },
    ] as const;
    const ids: string[] = [];
    for (const form of forms) ids.push((await upload(network, form)).id);
    await expectDelivered(network, way, { data: JSON.stringify(ids.map((id) => ({ id }))) });
  });

  it('is confirmed at all recipients whenever it is accepted', async () => {
    const near = (limit: number) => fc.integer({ min: limit - 1, max: limit + 1 });
    const draft = fc.record({
      levels: near(maxValueDepth),
      kind: fc.constantFrom('arrays', 'objects'),
      bytes: fc.oneof(fc.integer({ min: 2, max: 9 }), near(maxValueBytes)),
      items: fc.oneof(fc.constant(1), near(maxDataItems)),
      topics: fc.oneof(fc.constant(1), near(maxTopics)),
      tag: near(maxNameCharacters),
      space: fc.stringMatching(/^[ \t\r\n]{0,3}$/),
    });
    const accepted = { count: 0 };
    await fc.assert(
      fc.asyncProperty(draft, async ({ levels, kind, bytes, items, space, ...labels }) => {
        const values = Array.from({ length: items }, (__, i) => (i === 0 ? deep(levels, kind as 'arrays') : '0'));
        const data = valued(long(bytes), ...values).replaceAll(',', `${space},${space}`);
        const header = { topics: topics(labels.topics), tag: name('g', labels.tag) };
        const { status, id, text } = await post(network.node, way.path, way.body({ header, data }));
        expect([202, 400], text).toContain(status);
        if (status === 400) return;
        accepted.count += 1;
        await expectConfirmed(network.nodes, id);
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});

describe('a private message', () => {
  it.each(['batch_pin', 'none'])('with %s goes to a group of the maximum size', async (txtype) => {
    const others = Array.from({ length: maxGroupMembers - 3 }, (_, i) => `o${i + 3}`.padEnd(maxNameCharacters, 'x'));
    const all = [...members, ...others.map((identity) => ({ identity }))];
    const group = { name: name('n'), members: all };
    const body = JSON.stringify({ header: { txtype }, group, data: [{ value: 1 }] });
    const { status, id, text } = await post(network.node, 'messages/private', body);
    expect(status, text).toBe(202);
    await expectConfirmed(network.nodes, id);
    const more = JSON.stringify({ group: { members: [...all, { identity: 'dave' }] }, data: [{ value: 1 }] });
    expect((await post(network.node, 'messages/private', more)).status).toBe(400);
  });
});

describe('a definition', () => {
  const schema = (levels: number) => {
    // Levels of a schema come in pairs; an odd one belongs to an unknown keyword.
    return levels % 2 === 0 ? `{"x":[${deep(levels - 2)}]}` : `{"x":${deep(levels - 1)}}`;
  };
  const definitions: Readonly<Record<string, (levels: number) => readonly [path: string, body: string]>> = {
    'of a datatype': (levels) => [
      'datatypes',
      `{"name":"${name('n')}","version":"1.${levels}","value":${schema(levels)}}`,
    ],
    'of an identity': (levels) => ['identities', `{"name":"i${levels}","profile":${schema(levels)}}`],
    'of an interface': (levels) => [
      'contracts/interfaces?publish=true',
      `{"name":"${name('n')}","version":"1.${levels}",
        "methods":[{"name":"m","params":[{"name":"p","schema":{"type":"integer","details":{"type":"uint256"},
        "x":${deep(levels - 1)}}}],"returns":[]}]}`,
    ],
  };
  const cases = Object.keys(definitions).flatMap((what) =>
    Array.from({ length: 10 }, (_, i) => [what, maxValueDepth - 8 + i] as const),
  );
  it.each(cases)('%s of %i levels is confirmed everywhere, or refused at once', async (what, levels) => {
    const [path, body] = definitions[what]!(levels);
    const { status, text } = await post(network.node, path, body);
    if (status === 400) {
      expect(text).toMatch(/PY1005/);
      return;
    }
    expect([200, 202], text).toContain(status);
    const { message } = JSON.parse(text) as { readonly message?: string };
    if (message !== undefined) await expectConfirmed(network.nodes, message);
  });
});
