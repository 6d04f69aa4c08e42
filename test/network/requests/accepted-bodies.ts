import type { Profile } from '../../../src/domain/network/profile.js';
import { valueOf } from '../../../src/wire/json/json.js';
import type { RouteName } from '../../../src/wire/routes.js';
import { touchAbi, touchLocation } from '../../support/examples/contract-scene.js';
import type { Scene } from '../../support/examples/example.js';
import type { SentBody } from './described-bodies.js';

/** The records to which bodies refer. */
export interface Named {
  readonly scene: Scene;
  readonly profile: Profile | undefined;
  /** An interface with the methods `ping`, without parameters, and `ring`, and with the event `Rung`. */
  readonly bell: string;
  /** A namespace with one pool. */
  readonly single: string;
}

let number = 0;
const fresh = () => `fresh-${(number += 1)}`;

const location: unknown = valueOf(touchLocation);
const uint = { name: 'count', schema: { type: 'integer', details: { type: 'uint256' } } };
export const bell = {
  name: 'bell',
  version: '1',
  methods: [{ name: 'ping' }, { name: 'ring', params: [uint], returns: [uint] }],
  events: [{ name: 'Rung', params: [uint] }, { name: 'Silent' }],
  errors: [{ name: 'Broken', params: [uint] }, { name: 'Gone' }],
};
const [ping, ring] = bell.methods;
const input = { count: '1' };
const byVersion = { name: bell.name, version: bell.version };

/**
 * Returns bodies that a node accepts, in addition to those of the examples, new ones with each call. Together they
 * contain every object in the row's schema, and each omits some optional members.
 */
export function acceptedBodies(named: Named): Readonly<Partial<Record<RouteName, readonly SentBody[]>>> {
  const { scene, single } = named;
  const closed = privateMessages(named);
  const attached = [...closed, { data: itemsOf(named) }, { header: {}, data: itemsOf(named) }];
  const withMessages = (body: object) => attached.map((message) => ({ body: { ...body, message } }));
  const transfer = { amount: 1, pool: 'coins', to: 'bob' };
  const operation = [
    ...withMessages(transfer),
    { body: { amount: 1, to: 'bob' }, parameters: { ns: single } },
    { body: { amount: 1, pool: 'coins' } },
  ];
  return {
    broadcastMessage: [
      { body: { header: {}, data: itemsOf(named) } },
      { body: { data: [{ value: 1 }] } },
      ...(named.profile === 'firefly' ? [{ body: {} }] : []),
    ],
    sendMessage: closed.map((body) => ({ body })),
    requestReply: closed.map((body) => ({ body: { ...body, header: { ...body.header, tag: 'ask' } } })),
    uploadData: [...valuesOf(named).map((body) => ({ body })), { body: { blob: { hash: scene.file.blob?.hash } } }],
    createDatatype: [{ body: { name: fresh(), version: '1', value: {} } }],
    broadcastDatatype: [{ body: { name: fresh(), version: '1', value: {} } }],
    rewindPins: [{ body: { batch: scene.batch.id } }],
    updateIdentity: [{ body: { description: 'A desk' } }],
    createTokenPool: referencesTo(scene.contracts.interface).map((its) => {
      return { body: { name: fresh(), type: 'fungible', interface: its } };
    }),
    mintTokens: operation,
    transferTokens: operation.filter(({ body }) => 'to' in body),
    burnTokens: operation,
    approveTokens: [
      ...withMessages({ operator: 'bob', pool: 'coins' }),
      { body: { operator: 'bob' }, parameters: { ns: single } },
    ],
    ...contractBodies(named, withMessages),
    ...listenerBodies(named),
  };
}

type WithMessages = (body: object) => readonly SentBody[];

function contractBodies({ bell: id, scene }: Named, withMessages: WithMessages) {
  const touch = scene.contracts.interface;
  const ways = [
    { interface: id, methodPath: 'ring', input },
    ...referencesTo({ id, ...byVersion }).map((its) => ({ interface: its, methodPath: 'ring', input })),
    { method: ring, input, errors: bell.errors },
    { method: ping },
  ];
  const calls = ways.map((way) => ({ body: { location, ...way } }));
  const byInterface = { body: { location }, parameters: { interfaceid: id, method: 'ping' } };
  const parameters = (name: string) => ({ name, method: 'ping' });
  const byApi = [
    { body: {}, parameters: parameters('bell-here') },
    { body: { location }, parameters: parameters('bell-anywhere') },
  ];
  return {
    createContractInterface: [{ body: { ...bell, version: fresh() } }, { body: { name: fresh(), version: '1' } }],
    createContractApi: referencesTo({ id, ...byVersion }).map((its) => ({ body: { name: fresh(), interface: its } })),
    updateContractApi: referencesTo(touch).map((its) => ({ body: { name: 'touched', interface: its } })),
    deployContract: [{ body: { contract: '0x6080', definition: valueOf(touchAbi) } }],
    invokeContract: [...calls, ...withMessages({ location, method: ping })],
    queryContract: calls,
    invokeContractInterface: [byInterface, ...withMessages({ location, input })],
    queryContractInterface: [byInterface],
    invokeContractApi: [...byApi, ...withMessages({ input })],
    queryContractApi: byApi,
  };
}

function listenerBodies({ bell: id }: Named) {
  const [rung, silent] = bell.events;
  const references = referencesTo({ id, ...byVersion });
  const ways = [
    { event: rung },
    { event: silent },
    ...references.map((its) => ({ interface: its, eventPath: 'Rung' })),
    ...references.map((its) => ({
      filters: [
        { event: rung, location },
        { interface: its, eventPath: 'Silent' },
      ],
    })),
    { filters: [{ event: silent }], options: {} },
  ];
  return {
    createContractListener: ways.map((way) => ({ body: { topic: fresh(), ...way } })),
    getListenerSignature: ways.map((body) => ({ body })),
    createApiListener: [{ body: { topic: fresh(), options: {} } }],
  };
}

/** Returns the bodies for a contract API with the interface `bell`, by the name of the operation. */
export function bodiesOfApi(
  named: Named,
  at: { readonly location?: unknown },
): Readonly<Record<string, readonly SentBody[]>> {
  const messages = [...privateMessages(named), { header: {}, data: itemsOf(named) }];
  const called = (body: object) => [{ body: { ...at, ...body } }];
  return {
    invoke_ping: [...called({}), ...messages.map((message) => ({ body: { ...at, message } }))],
    invoke_ring: [...called({ input }), ...messages.map((message) => ({ body: { ...at, input, message } }))],
    query_ping: called({}),
    query_ring: called({ input }),
    create_listener_Rung: [{ body: { topic: fresh() } }, { body: { topic: fresh(), options: {} } }],
    create_listener_Silent: [{ body: { topic: fresh() } }, { body: { topic: fresh(), options: {} } }],
  };
}

/** Private messages: the group by its members, by its hash, and by its hash in the header. */
function privateMessages(named: Named) {
  const hash = named.scene.privateMessage.header.group;
  return [
    { header: {}, group: { members: [{ identity: 'bob' }] }, data: itemsOf(named) },
    { group: { hash } },
    { header: { group: hash } },
  ];
}

/** Items by value and by id. */
function itemsOf(named: Named): readonly object[] {
  return [...valuesOf(named), { id: named.scene.file.id }];
}

/** Values with datatypes. A network of the profile `firefly` also accepts labels instead. */
function valuesOf({ profile }: Named): readonly object[] {
  const typed = { value: 1, datatype: { name: 'number', version: '1.0' } };
  return profile === 'firefly' ? [typed, { value: 1, validator: 'none', datatype: {} }] : [typed];
}

function referencesTo({
  id,
  name,
  version,
}: {
  readonly id?: string;
  readonly name: string;
  readonly version: string;
}) {
  return [{ id }, { name, version }];
}
