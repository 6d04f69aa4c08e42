import { type Static, Type } from '@sinclair/typebox';
import { AttachedMessage } from './token.js';
import { Raw, RawText, Time, Uuid } from './scalar.js';

/** A parameter of an interface: its schema says what may be given, `details` how Solidity has it (S §16). */
export const FfiParameter = Type.Object({ name: Type.String(), schema: Raw });
export type FfiParameter = Static<typeof FfiParameter>;

const description = Type.Optional(Type.String());
const details = Type.Optional(Raw);

export const FfiMethod = Type.Object({
  id: Type.Optional(Uuid),
  interface: Type.Optional(Uuid),
  name: Type.String(),
  namespace: Type.Optional(Type.String()),
  pathname: Type.Optional(Type.String({ description: 'name, of overloads name_1 and so on' })),
  description,
  params: Type.Array(FfiParameter),
  returns: Type.Array(FfiParameter),
  details,
});
export type FfiMethod = Static<typeof FfiMethod>;

export const FfiEvent = Type.Object({
  id: Type.Optional(Uuid),
  interface: Type.Optional(Uuid),
  name: Type.String(),
  namespace: Type.Optional(Type.String()),
  pathname: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
  description,
  params: Type.Array(FfiParameter),
  details,
});
export type FfiEvent = Static<typeof FfiEvent>;

/** What a contract offers (S §16). Methods, events and errors are there where they were asked for. */
export const ContractInterface = Type.Object({
  id: Type.Optional(Uuid),
  message: Type.Optional(Uuid),
  namespace: Type.Optional(Type.String()),
  name: Type.String(),
  networkName: Type.Optional(Type.String()),
  description,
  version: Type.String(),
  methods: Type.Optional(Type.Array(FfiMethod)),
  events: Type.Optional(Type.Array(FfiEvent)),
  errors: Type.Optional(Type.Array(FfiEvent)),
  published: Type.Optional(Type.Boolean()),
});
export type ContractInterface = Static<typeof ContractInterface>;

export const InterfaceReference = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
});
export type InterfaceReference = Static<typeof InterfaceReference>;

/** A contract with its interface, by a name of its own (S §16). */
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

const idempotencyKey = Type.Optional(Type.String({ description: 'at most 256 characters; a second use is 409' }));

/** Invoke and query (S §16). */
export const ContractCallRequest = Type.Object({
  location: Type.Optional(Raw),
  interface: Type.Optional(Type.Union([Type.String(), InterfaceReference])),
  method: Type.Optional(FfiMethod),
  methodPath: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Array(FfiEvent)),
  key: Type.Optional(Type.String({ description: 'signing key of this node' })),
  input: Type.Optional(Raw),
  options: Type.Optional(Raw),
  message: Type.Optional(AttachedMessage),
  idempotencyKey,
});
export type ContractCallRequest = Static<typeof ContractCallRequest>;

export const DeployRequest = Type.Object({
  key: Type.Optional(Type.String({ description: 'signing key of this node' })),
  definition: Type.Optional(Raw),
  contract: Type.Optional(Type.String({ description: 'creation code as 0x hex' })),
  input: Type.Optional(Raw),
  options: Type.Optional(Raw),
  idempotencyKey,
});
export type DeployRequest = Static<typeof DeployRequest>;

/** One of the things that a listener listens for. */
export const ListenerFilter = Type.Object({
  event: Type.Optional(FfiEvent),
  eventPath: Type.Optional(Type.String()),
  location: Type.Optional(Raw),
  interface: Type.Optional(InterfaceReference),
  signature: Type.Optional(Type.String()),
});
export type ListenerFilter = Static<typeof ListenerFilter>;

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
  state: Type.Optional(Raw),
  options: Type.Object({ firstEvent: Type.String() }),
  filters: Type.Array(ListenerFilter),
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
