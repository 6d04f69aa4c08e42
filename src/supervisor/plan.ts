import { type Static, Type } from '@sinclair/typebox';
import { Identity } from './machine/identity.js';
import { readShape } from './files/json-file.js';

const Name = Type.String({ pattern: '^[a-z][a-z0-9-]{0,63}$' });
const DurationMs = Type.Integer({ minimum: 0, maximum: 3_600_000 });
const strict = { additionalProperties: false };

const Condition = Type.Union([Type.Literal('started'), Type.Literal('healthy'), Type.Literal('completed')]);

const Common = {
  name: Name,
  /** A category such as `node`, shown in the status. Services of one kind stop together. */
  kind: Type.String(),
  /** Absolute path of a JavaScript file, run with the Node that runs the supervisor. */
  program: Type.String(),
  arguments: Type.Array(Type.String()),
  /** Written before each start; `${name.port}` inside its strings stands for a port that a service reported. */
  config: Type.Object({ file: Type.String(), value: Type.Unknown() }, strict),
  after: Type.Array(Type.Object({ name: Name, condition: Condition }, strict)),
  /** The service is given up after `max` restarts within the window without becoming healthy. */
  restart: Type.Object(
    { max: Type.Integer({ minimum: 0 }), windowMs: DurationMs, firstDelayMs: DurationMs, maxDelayMs: DurationMs },
    strict,
  ),
  stopGraceMs: DurationMs,
};

/** The address of a container engine. */
const EngineAddress = Type.Union([
  Type.Object({ socketPath: Type.String() }, strict),
  Type.Object({ host: Type.String(), port: Type.Integer() }, strict),
]);

/** A service in a container. Paths are the same inside and outside. */
const ContainerSpec = Type.Object(
  {
    image: Type.String(),
    command: Type.Array(Type.String()),
    /** uid:gid */
    user: Type.String(),
    mounts: Type.Array(Type.Object({ path: Type.String(), isReadOnly: Type.Boolean() }, strict)),
    /** Ports that are published on addresses of this machine, under their own numbers. */
    ports: Type.Array(Type.Object({ host: Type.String(), port: Type.Integer() }, strict)),
  },
  strict,
);

const ServiceSpec = Type.Object(
  {
    type: Type.Literal('service'),
    ...Common,
    /** Absent for a process. */
    container: Type.Optional(ContainerSpec),
    /** Limit from the start of the process, or its last progress, until it is ready. */
    readyTimeoutMs: DurationMs,
    health: Type.Object(
      {
        path: Type.String(),
        intervalMs: DurationMs,
        timeoutMs: DurationMs,
        maxMisses: Type.Integer({ minimum: 1 }),
        /** The file of the service's certificate; absent for plain HTTP. */
        certificateFile: Type.Optional(Type.String()),
      },
      strict,
    ),
  },
  strict,
);

const TaskSpec = Type.Object(
  {
    type: Type.Literal('task'),
    ...Common,
    timeoutMs: DurationMs,
    /** Whether it is started only by name, instead of as soon as its conditions hold. */
    onRequest: Type.Boolean(),
  },
  strict,
);

/** The plan of a supervisor: the schema of `run/plan.json`. */
export const Plan = Type.Object(
  {
    version: Type.Literal(1),
    /** A secret of this stack, by which a client recognises its supervisor. */
    stack: Type.String({ minLength: 1 }),
    name: Type.String(),
    socket: Type.String(),
    /** The socket for the explorers of its nodes; absent if they have no access. */
    view: Type.Optional(Type.Object({ socket: Type.String() }, strict)),
    stateFile: Type.String(),
    /** The lease of a temporary stack: when its owner leaves, everything is stopped and the directory deleted. */
    lease: Type.Optional(Type.Object({ owner: Identity, directory: Type.String() }, strict)),
    logs: Type.Object(
      {
        directory: Type.String(),
        maxBytes: Type.Integer({ minimum: 1024 }),
        maxFiles: Type.Integer({ minimum: 1, maximum: 100 }),
      },
      strict,
    ),
    /** The engine and network of containers; absent if all services are processes. */
    containers: Type.Optional(
      Type.Object(
        {
          engine: EngineAddress,
          /** Prefix of the containers' names. */
          prefix: Type.String(),
          /** The network that the supervisor creates for them, or `host` for the machine's own. */
          network: Type.String(),
          userNamespace: Type.Optional(Type.String()),
        },
        strict,
      ),
    ),
    /** Names of services that run outside this supervisor. */
    external: Type.Optional(Type.Array(Name)),
    services: Type.Array(Type.Union([ServiceSpec, TaskSpec]), { maxItems: 200 }),
  },
  strict,
);

export type Plan = Static<typeof Plan>;
export type ServiceSpec = Static<typeof ServiceSpec>;
export type TaskSpec = Static<typeof TaskSpec>;
export type Spec = ServiceSpec | TaskSpec;
export type ContainerSpec = Static<typeof ContainerSpec>;
export type EngineAddress = Static<typeof EngineAddress>;
export type ContainerPlan = NonNullable<Plan['containers']>;
export type Condition = Static<typeof Condition>;

/**
 * Parses a plan.
 *
 * @throws Error naming the first invalid member
 */
export function parsePlan(text: string): Plan {
  return readShape(Plan, text, 'The plan');
}
