import { type Static, Type } from '@sinclair/typebox';
import { Identity } from './identity.js';
import { readShape } from './json-file.js';

const Name = Type.String({ pattern: '^[a-z][a-z0-9-]{0,63}$' });
const DurationMs = Type.Integer({ minimum: 0, maximum: 3_600_000 });
const strict = { additionalProperties: false };

const Condition = Type.Union([Type.Literal('started'), Type.Literal('healthy'), Type.Literal('completed')]);

const Common = {
  name: Name,
  /** What the service is to people: shown in the status, never interpreted. */
  kind: Type.String(),
  /** Absolute path of a JavaScript file; it runs with the Node that runs the supervisor. */
  program: Type.String(),
  arguments: Type.Array(Type.String()),
  /** Written before each start; `${name.port}` inside its strings stands for a port that a service reported. */
  config: Type.Object({ file: Type.String(), value: Type.Unknown() }, strict),
  after: Type.Array(Type.Object({ name: Name, condition: Condition }, strict)),
  /** Restarts within the window, none of which became healthy, before it is given up. */
  restart: Type.Object(
    { max: Type.Integer({ minimum: 0 }), windowMs: DurationMs, firstDelayMs: DurationMs, maxDelayMs: DurationMs },
    strict,
  ),
  stopGraceMs: DurationMs,
};

const ServiceSpec = Type.Object(
  {
    type: Type.Literal('service'),
    ...Common,
    /** From its start until it has reported that it is ready. */
    readyTimeoutMs: DurationMs,
    health: Type.Object(
      { path: Type.String(), intervalMs: DurationMs, timeoutMs: DurationMs, maxMisses: Type.Integer({ minimum: 1 }) },
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
    /** Runs only when it is started by name, instead of as soon as its conditions hold. */
    onRequest: Type.Boolean(),
  },
  strict,
);

/** What a supervisor runs: the schema of `run/plan.json`. */
export const Plan = Type.Object(
  {
    version: Type.Literal(1),
    /** Known to nobody but this stack: how a client recognises its own supervisor. */
    stack: Type.String({ minLength: 1 }),
    name: Type.String(),
    socket: Type.String(),
    /** The socket for the explorers of its nodes; absent where they may not ask. */
    view: Type.Optional(Type.Object({ socket: Type.String() }, strict)),
    stateFile: Type.String(),
    /** A stack that exists for one process: when that leaves, all of it is ended and the directory deleted. */
    lease: Type.Optional(Type.Object({ owner: Identity, directory: Type.String() }, strict)),
    logs: Type.Object(
      {
        directory: Type.String(),
        maxBytes: Type.Integer({ minimum: 1024 }),
        maxFiles: Type.Integer({ minimum: 1, maximum: 100 }),
      },
      strict,
    ),
    /** Names of services that somebody else runs. */
    external: Type.Optional(Type.Array(Name)),
    services: Type.Array(Type.Union([ServiceSpec, TaskSpec]), { maxItems: 200 }),
  },
  strict,
);

export type Plan = Static<typeof Plan>;
export type ServiceSpec = Static<typeof ServiceSpec>;
export type TaskSpec = Static<typeof TaskSpec>;
export type Spec = ServiceSpec | TaskSpec;
export type Condition = Static<typeof Condition>;

/**
 * The plan of a JSON text.
 *
 * @throws Error naming the first member that is not as it must be
 */
export function parsePlan(text: string): Plan {
  return readShape(Plan, text, 'The plan');
}
