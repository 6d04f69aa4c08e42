import { type Static, Type } from '@sinclair/typebox';
import { requiring } from '../json/required-mark.js';
import { AttachedMessage } from '../token.js';
import { Address, oneOf, Raw, RawText, Time, Uuid } from '../scalar.js';

/**
 * A parameter of an interface: `schema` describes the accepted JSON, with the Solidity type in `details`
 * (docs/api.md §20).
 */
export const FfiParameter = Type.Object({ name: Type.String(), schema: Raw });
export type FfiParameter = Static<typeof FfiParameter>;

const description = Type.Optional(Type.String());
const details = Type.Optional(Raw);
const parameters = Type.Array(FfiParameter, { default: [] });

export const FfiMethod = Type.Object({
  id: Type.Optional(Uuid),
  interface: Type.Optional(Uuid),
  name: Type.String(),
  namespace: Type.Optional(Type.String()),
  pathname: Type.Optional(Type.String({ description: 'name, of overloads name_1 and so on' })),
  description,
  params: parameters,
  returns: parameters,
  details,
});
export type FfiMethod = Static<typeof FfiMethod>;
export const FfiMethods = Type.Array(FfiMethod);

export const FfiEvent = Type.Object({
  id: Type.Optional(Uuid),
  interface: Type.Optional(Uuid),
  name: Type.String(),
  namespace: Type.Optional(Type.String()),
  pathname: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
  description,
  params: parameters,
  details,
});
export type FfiEvent = Static<typeof FfiEvent>;
export const FfiEvents = Type.Array(FfiEvent);

/** A contract interface (docs/api.md §20). Methods, events and errors are present if they were requested. */
export const ContractInterface = Type.Object({
  id: Type.Optional(Uuid),
  message: Type.Optional(Uuid),
  namespace: Type.Optional(Type.String()),
  name: Type.String(),
  networkName: Type.Optional(Type.String()),
  description,
  version: Type.String(),
  methods: Type.Optional(FfiMethods),
  events: Type.Optional(FfiEvents),
  errors: Type.Optional(FfiEvents),
  published: Type.Optional(Type.Boolean()),
});
export type ContractInterface = Static<typeof ContractInterface>;

const networkName = Type.Optional(
  Type.String({ description: 'its name in the network, once it is published; default: name' }),
);
const parts = {
  methods: Type.Optional(FfiMethods),
  events: Type.Optional(FfiEvents),
  errors: Type.Optional(FfiEvents),
};

/** The request that defines an interface. */
export const InterfaceRequest = Type.Object({
  name: Type.String(),
  networkName,
  description,
  version: Type.String({ description: 'dotted text; a change is a new version' }),
  ...parts,
});
export type InterfaceRequest = Static<typeof InterfaceRequest>;

/** The source from which an interface is generated (docs/api.md §20). */
export const GenerateRequest = Type.Object({
  name: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  description,
  input: requiring(['abi'], Type.Object({ abi: Type.Optional(Raw) })),
});
export type GenerateRequest = Static<typeof GenerateRequest>;

/** The definition of an interface as it is broadcast (docs/protocol.md §9), without derived fields. */
export const InterfaceDefinition = Type.Object({
  id: Uuid,
  namespace: Type.String(),
  name: Type.String({ description: 'the name in the network' }),
  description: Type.String(),
  version: Type.String(),
  methods: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      params: Type.Array(FfiParameter),
      returns: Type.Array(FfiParameter),
      details,
    }),
  ),
  events: Type.Array(
    Type.Object({ name: Type.String(), description: Type.String(), params: Type.Array(FfiParameter), details }),
  ),
  errors: Type.Array(
    Type.Object({ name: Type.String(), description: Type.String(), params: Type.Array(FfiParameter) }),
  ),
});
export type InterfaceDefinition = Static<typeof InterfaceDefinition>;

export const InterfaceReference = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
});
export type InterfaceReference = Static<typeof InterfaceReference>;

/** A contract API: an interface under a name, usually with a location (docs/api.md §20). */
export const ContractApi = Type.Object({
  id: Uuid,
  namespace: Type.String(),
  interface: InterfaceReference,
  location: Type.Optional(Raw),
  name: Type.String(),
  networkName: Type.Optional(Type.String()),
  message: Type.Optional(Uuid),
  urls: Type.Object({ api: Type.String(), openapi: Type.String(), ui: Type.String() }),
  published: Type.Boolean(),
});
export type ContractApi = Static<typeof ContractApi>;

/** The request that defines a contract API. */
export const ApiRequest = Type.Object({
  name: Type.String(),
  networkName,
  interface: InterfaceReference,
  location: Type.Optional(Raw),
});
export type ApiRequest = Static<typeof ApiRequest>;

/** The definition of a contract API as it is broadcast (docs/protocol.md §9). */
export const ApiDefinition = Type.Object({
  id: Uuid,
  namespace: Type.String(),
  name: Type.String({ description: 'the name in the network' }),
  interface: Type.Object({ id: Uuid }),
  location: Type.Optional(Type.Object({ address: Address })),
});
export type ApiDefinition = Static<typeof ApiDefinition>;

const idempotencyKey = Type.Optional(Type.String({ description: 'at most 256 characters; a second use is 409' }));

/** A request to invoke (docs/api.md §20). */
export const ContractCallRequest = Type.Object({
  location: Type.Optional(Raw),
  interface: Type.Optional(Type.Union([Type.String(), InterfaceReference])),
  method: Type.Optional(FfiMethod),
  methodPath: Type.Optional(Type.String()),
  errors: Type.Optional(FfiEvents),
  key: Type.Optional(Type.String({ description: 'signing key of this node' })),
  input: Type.Optional(Raw),
  options: Type.Optional(Raw),
  message: Type.Optional(AttachedMessage),
  idempotencyKey,
});
export type ContractCallRequest = Static<typeof ContractCallRequest>;

/** A request to query, which stores nothing. */
export const ContractQueryRequest = Type.Omit(ContractCallRequest, ['message', 'idempotencyKey']);

/**
 * A request to invoke through an API, which gives the method and usually the location; the request gives a location if
 * the API has none.
 */
export const ApiCallRequest = Type.Pick(ContractCallRequest, [
  'location',
  'key',
  'input',
  'options',
  'message',
  'idempotencyKey',
]);
export type ApiCallRequest = Static<typeof ApiCallRequest>;

/** A request to query through an API. */
export const ApiQueryRequest = Type.Omit(ApiCallRequest, ['message', 'idempotencyKey']);

export const DeployRequest = Type.Object({
  key: Type.Optional(Type.String({ description: 'signing key of this node' })),
  definition: Type.Optional(Raw),
  contract: Type.Optional(Type.String({ description: 'creation code as 0x hex' })),
  input: Type.Optional(Raw),
  options: Type.Optional(Raw),
  idempotencyKey,
});
export type DeployRequest = Static<typeof DeployRequest>;

/** The fields of an invoke operation's input from which the call is made. */
export const CallInput = Type.Object({
  location: Type.Optional(Type.Object({ address: Type.String() })),
  options: Type.Object({ gas: Type.Optional(Type.Integer()), value: Type.String() }),
  data: Type.String(),
  errors: Type.Array(Type.Unknown({ description: 'as the ABI has them' })),
});
export type CallInput = Static<typeof CallInput>;

/** One filter of a listener: an event, and where it is emitted. */
export const ListenerFilter = Type.Object({
  event: Type.Optional(FfiEvent),
  eventPath: Type.Optional(Type.String()),
  location: Type.Optional(Raw),
  interface: Type.Optional(InterfaceReference),
  signature: Type.Optional(Type.String()),
});
export type ListenerFilter = Static<typeof ListenerFilter>;
export const ListenerFilters = Type.Array(ListenerFilter);

export const ListenerOptions = Type.Object({
  firstEvent: Type.String({ description: 'oldest, newest, or the number of the first block' }),
});

/** The progress of a listener in reading the chain. */
export const ListenerStatus = Type.Object({
  checkpoint: Type.Object({
    block: Type.Integer({ description: 'all blocks up to this one are read; -1: none' }),
    transactionIndex: Type.Integer({ description: '-1: whole blocks are read' }),
    logIndex: Type.Integer({ description: '-1: whole blocks are read' }),
  }),
  catchup: Type.Boolean({ description: 'its history is still being read' }),
});
export type ListenerStatus = Static<typeof ListenerStatus>;

export const ContractListener = Type.Object({
  id: Uuid,
  interface: Type.Optional(InterfaceReference),
  namespace: Type.String(),
  name: Type.String(),
  backendId: Type.String(),
  location: Type.Optional(Raw),
  created: Time,
  updated: Type.Optional(Time),
  event: Type.Optional(FfiEvent),
  signature: Type.String(),
  topic: Type.String(),
  state: oneOf(['joining', 'following']),
  options: ListenerOptions,
  filters: Type.Array(ListenerFilter),
  status: Type.Optional(ListenerStatus),
});
export type ContractListener = Static<typeof ContractListener>;

export const ListenerRequest = Type.Object({
  name: Type.Optional(Type.String()),
  topic: Type.Optional(Type.String()),
  location: Type.Optional(Raw),
  interface: Type.Optional(InterfaceReference),
  eventPath: Type.Optional(Type.String()),
  event: Type.Optional(FfiEvent),
  filters: Type.Optional(Type.Array(ListenerFilter)),
  options: Type.Optional(Type.Object({ firstEvent: Type.Optional(RawText) })),
});
export type ListenerRequest = Static<typeof ListenerRequest>;

/** A listener for an event of a contract API, given by the path. */
export const ApiListenerRequest = Type.Omit(ListenerRequest, ['interface', 'eventPath', 'event', 'filters']);
export type ApiListenerRequest = Static<typeof ApiListenerRequest>;
