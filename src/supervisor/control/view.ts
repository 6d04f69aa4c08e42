import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Identity } from '../machine/identity.js';
import type { Spec } from '../plan.js';

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

export const ServiceView = Type.Object({
  name: Type.String(),
  type: Type.Union([Type.Literal('service'), Type.Literal('task')]),
  kind: Type.String(),
  state: ServiceState,
  /** Time of the last change of the state; absent from supervisors of earlier versions. */
  stateSince: Type.Optional(OrNull(Type.String())),
  pid: OrNull(Type.Integer()),
  identity: OrNull(Identity),
  /** Whether its process is in a container; absent from supervisors of earlier versions. */
  isContainer: Type.Optional(Type.Boolean()),
  restarts: Type.Integer(),
  /** The last reported port, kept when the process ends, since it will be used again. */
  port: OrNull(Type.Integer()),
  url: OrNull(Type.String()),
  /** Start time of its process, and the time from there until it was healthy or completed. */
  startedAt: OrNull(Type.String()),
  readyAfterMs: OrNull(Type.Integer()),
  /** Progress of its start as text; absent from supervisors of earlier versions. */
  progress: Type.Optional(OrNull(Type.String())),
  /** The note that its program sent when it was ready. */
  note: Type.Optional(OrNull(Type.String())),
  /** The reason for its last end, or its present problem, as a sentence. */
  message: OrNull(Type.String()),
  /** Whether its exit code says that a restart cannot help; absent from supervisors of earlier versions. */
  isFinal: Type.Optional(Type.Boolean()),
  /** The result of a task. */
  result: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
});
export type ServiceView = Static<typeof ServiceView>;

/** The response to `GET /health`, in every version of the protocol. */
export const SupervisorHealth = Type.Object({
  protocol: Type.Integer(),
  stack: Type.String(),
  name: Type.String(),
  identity: Identity,
  startedAt: Type.String(),
});
export type SupervisorHealth = Static<typeof SupervisorHealth>;

/** The response to `GET /status`, streamed on `/status/stream`, and the content of `run/state.json`. */
export const SupervisorStatus = Type.Object({
  ...SupervisorHealth.properties,
  state: Type.Union([Type.Literal('running'), Type.Literal('stopping')]),
  lostLogLines: Type.Integer(),
  services: Type.Array(ServiceView),
});
export type SupervisorStatus = Static<typeof SupervisorStatus>;

/** The version of the control protocol, increased when an existing part changes its meaning. */
export const controlProtocol = 1;

export function emptyView(spec: Spec): ServiceView {
  return {
    name: spec.name,
    type: spec.type,
    kind: spec.kind,
    state: 'pending',
    stateSince: null,
    pid: null,
    identity: null,
    restarts: 0,
    port: null,
    url: null,
    startedAt: null,
    readyAfterMs: null,
    progress: null,
    message: null,
    isFinal: false,
    result: null,
  };
}
