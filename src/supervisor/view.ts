import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Identity } from './identity.js';
import type { Spec } from './plan.js';

const OrNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const ServiceState = Type.Union([
  Type.Literal('pending'),
  Type.Literal('starting'),
  Type.Literal('healthy'),
  Type.Literal('unhealthy'),
  Type.Literal('paused'),
  Type.Literal('stopping'),
  Type.Literal('stopped'),
  Type.Literal('failed'),
  Type.Literal('completed'),
]);
export type ServiceState = Static<typeof ServiceState>;

/** What is known of a service now. */
export const ServiceView = Type.Object({
  name: Type.String(),
  type: Type.Union([Type.Literal('service'), Type.Literal('task')]),
  kind: Type.String(),
  state: ServiceState,
  pid: OrNull(Type.Integer()),
  identity: OrNull(Identity),
  restarts: Type.Integer(),
  /** The last one reported. It stays when the process is gone, since it will be used again. */
  port: OrNull(Type.Integer()),
  url: OrNull(Type.String()),
  /** When its process began, and how long it took from there to healthy or completed. */
  startedAt: OrNull(Type.String()),
  readyAfterMs: OrNull(Type.Integer()),
  /** How far its start is, in words of its own; supervisors of earlier versions do not say. */
  progress: Type.Optional(OrNull(Type.String())),
  /** Why it ended last, in words. */
  message: OrNull(Type.String()),
  /** It ended for good; supervisors of earlier versions do not say. */
  isFinal: Type.Optional(Type.Boolean()),
  /** What a task found out. */
  result: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
});
export type ServiceView = Static<typeof ServiceView>;

/** What a supervisor answers on `GET /health`, in every version of the protocol. */
export const SupervisorHealth = Type.Object({
  protocol: Type.Integer(),
  stack: Type.String(),
  name: Type.String(),
  identity: Identity,
  startedAt: Type.String(),
});
export type SupervisorHealth = Static<typeof SupervisorHealth>;

/** What a supervisor answers on `GET /status` and streams on `/status/stream`; also its `run/state.json`. */
export const SupervisorStatus = Type.Object({
  ...SupervisorHealth.properties,
  state: Type.Union([Type.Literal('running'), Type.Literal('stopping')]),
  /** Log lines that no disk took. */
  lostLogLines: Type.Integer(),
  services: Type.Array(ServiceView),
});
export type SupervisorStatus = Static<typeof SupervisorStatus>;

/** The version of the control protocol: raised when something that is there changes its meaning. */
export const controlProtocol = 1;

/** A service of which nothing has happened yet. */
export function emptyView(spec: Spec): ServiceView {
  return {
    ...{ name: spec.name, type: spec.type, kind: spec.kind, state: 'pending', pid: null, identity: null, restarts: 0 },
    ...{
      port: null,
      url: null,
      startedAt: null,
      readyAfterMs: null,
      progress: null,
      message: null,
      isFinal: false,
      result: null,
    },
  };
}
