import { randomUUID } from 'node:crypto';
import { id as keccak } from 'ethers';
import { sha256 } from '../../../../src/domain/hash.js';
import type { ForgedMessage } from './member.js';
import { type Attack, post, type World } from './world.js';

const system = { type: 'definition', namespace: 'svc_system', topics: ['svc_ns_default'] } as const;

/** A definition in the form of a batch. */
function definition(tag: string, record: Readonly<Record<string, unknown>>): ForgedMessage {
  const value = JSON.stringify({ id: randomUUID(), namespace: 'default', ...record });
  return { header: { ...system, topics: [...system.topics], tag }, items: [{ value }] };
}

function datatypeDefinition(name: string, schema: unknown): ForgedMessage {
  const value = JSON.stringify(schema);
  const record = { validator: 'json', namespace: 'default', name, version: '1', hash: sha256(value), value: schema };
  const { id, ...rest } = { id: randomUUID(), ...record };
  return {
    header: { ...system, topics: [...system.topics], tag: 'svc_define_datatype' },
    items: [{ value: JSON.stringify({ id, ...rest }) }],
  };
}

function interfaceDefinition(parts: Readonly<Record<string, unknown>>): ForgedMessage {
  const name = `of-mallory-${randomUUID().slice(0, 8)}`;
  const none = { methods: [], events: [], errors: [] };
  return definition('svc_define_ffi', { name, description: '', version: '1', ...none, ...parts });
}

const repeat = <Part>(count: number, part: (index: number) => Part): Part[] =>
  Array.from({ length: count }, (_, index) => part(index));

/** Defines a datatype, then sends a message with a value of maximum cost. */
function costlyValue(name: string, schema: unknown, value: string): Attack {
  return {
    name: `a member's datatype ${name} and a value that is expensive to validate`,
    async run({ member }) {
      await member.pin([datatypeDefinition(name, schema)]);
      const datatype = { name, version: '1' };
      await member.pin([{ items: [{ value, datatype }] }]);
      await member.pin(repeat(20, () => ({ items: [{ value: '{"a":1}', datatype }] })));
      return `schema of ${JSON.stringify(schema).length} bytes, value of ${value.length}`;
    },
  };
}

const manyMembers = (count: number): string =>
  `{${repeat(count, (index) => `"m${index.toString(36)}":${index % 10}`).join(',')}}`;
const manyItems = (count: number): string => `[${repeat(count, (index) => String(index % 10)).join(',')}]`;

const definitions: readonly Attack[] = [
  {
    name: 'an interface with 14,000 equal events',
    async run({ member }) {
      const events = repeat(14_000, () => ({ name: 'E', description: '', params: [] }));
      await member.pin([interfaceDefinition({ events })]);
      return 'one definition of some 600 KB';
    },
  },
  {
    name: 'interfaces with 5,000 methods of many parameters',
    async run({ member }) {
      const params = repeat(3, (index) => ({ name: `p${index}`, schema: { type: 'string' } }));
      const methods = repeat(2_500, () => ({ name: 'm', description: '', params, returns: params }));
      for (let round = 0; round < 3; round++) await member.pin([interfaceDefinition({ methods })]);
      return 'three definitions';
    },
  },
  costlyValue('properties-990', { allOf: repeat(990, () => ({ properties: { a: true } })) }, manyMembers(60_000)),
  costlyValue(
    'nested-properties',
    { allOf: repeat(900, () => ({ properties: { a: true, b: true } })) },
    manyMembers(50_000),
  ),
  costlyValue('tiny-multiple', { items: { multipleOf: 5e-324 } }, manyItems(350_000)),
  costlyValue(
    'unevaluated',
    { allOf: repeat(400, () => ({ properties: { a: true } })), unevaluatedProperties: { type: 'number' } },
    manyMembers(60_000),
  ),
  costlyValue('unique', { uniqueItems: true }, manyItems(300_000)),
];

const payloads: readonly Attack[] = [
  {
    name: 'payloads that are no batch: garbage, deep, of 2 MiB',
    async run({ member }) {
      const contents = [
        Buffer.alloc(2 * 1_024 * 1_024 - 1, '['),
        Buffer.from(`{"version":1,"messages":[${'{},'.repeat(300_000)}{}]}`),
        Buffer.from(`{"version":1,"data":"${'\\u0000'.repeat(300_000)}"}`),
        Buffer.alloc(1_000_000, 0xff),
      ];
      for (const content of contents) await member.pinBytes(content);
      return `${contents.length} payloads`;
    },
  },
  {
    name: 'full batches of 200 messages with 2,000 topics',
    async run({ member }) {
      const topics = (message: number) => repeat(10, (index) => `t-${message}-${index}`);
      for (let round = 0; round < 3; round++) {
        const value = JSON.stringify('x'.repeat(3_000));
        await member.pin(repeat(200, (index) => ({ header: { topics: topics(index) }, items: [{ value }] })));
      }
      return 'three batches';
    },
  },
  {
    name: 'pins whose payload nobody has',
    async run({ member }) {
      const nobody = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG';
      for (let round = 0; round < 20; round++) await member.pinBytes(Buffer.from(`absent ${round}`), nobody);
      return '20 pins';
    },
  },
];

const peerTraffic: readonly Attack[] = [
  {
    name: 'envelopes that are none, deep, or of 3 MB, to every peer',
    async run({ member: { exchange, peers } }) {
      const texts = ['garbage', '['.repeat(200_000), `{"version":1,"payload":"${'x'.repeat(2_900_000)}"}`];
      const answers = [];
      for (const peer of peers) {
        for (const text of repeat(30, (index) => texts[index % texts.length] ?? '')) {
          answers.push(
            exchange.send(peer, text).then(
              ({ status }) => status,
              () => 'refused',
            ),
          );
          if (answers.length % 10 === 0) await Promise.all(answers);
        }
      }
      const all = await Promise.all(answers);
      return `${all.length} envelopes: ${[...new Set(all)].join(', ')}`;
    },
  },
];

/** Runtime code that emits one event with a word of data, and the code that deploys it. */
function emitter(signature: string): string {
  const runtime = `7f${keccak(signature).slice(2)}60206000a100`;
  return `0x602780600b6000396000f3${runtime}`;
}

const logs: readonly Attack[] = [
  {
    name: 'a listener of an event with uint256[999999999], and its logs',
    async run(world: World) {
      const { member } = world;
      const address = await member.deploy(emitter('Blow(uint256[999999999])'));
      const schema = { type: 'array', details: { type: 'uint256[999999999]' }, items: { type: 'integer' } };
      const request = {
        topic: 'blow',
        location: { address },
        event: { name: 'Blow', params: [{ name: 'a', schema }] },
        options: { firstEvent: 'oldest' },
      };
      const { status } = await post(world, 'contracts/listeners', JSON.stringify(request));
      for (let round = 0; round < 3; round++) await member.call(address, '0x');
      return `listener ${status}, three logs`;
    },
  },
];

/** Attacks by a registered member on the nodes of others. */
export const memberAttacks: readonly Attack[] = [...definitions, ...payloads, ...peerTraffic, ...logs];
