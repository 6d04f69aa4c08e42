import { type Static, Type } from '@sinclair/typebox';
import { ProgressStep, Wait } from '../messages/progress.js';
import { oneOf, Time, Uuid } from '../scalar.js';

/*
 * The facts that one party's explorer may show about the other nodes of its stack: ids, states, times, reasons. None of
 * these schemas has a member for a value, a file, a tag or a topic, and responses are written by their schema.
 */

/** A wait reported by another party. */
const JoinedWait = Type.Object({
  on: Wait.properties.on,
  since: Time,
  message: Type.Optional(Uuid),
  batch: Type.Optional(Uuid),
  author: Wait.properties.author,
});

/** Unknown means that the node did not respond in time. */
const answer = oneOf(['held', 'absent', 'unknown']);

/** A message or batch at each party of the stack. */
export const JoinedRecord = Type.Object({
  parties: Type.Array(
    Type.Object({
      party: Type.String(),
      answer,
      state: Type.Optional(Type.String()),
      steps: Type.Array(Type.Object({ step: ProgressStep, time: Type.Optional(Time) })),
      missing: Type.Optional(ProgressStep),
      waits: Type.Array(JoinedWait),
    }),
  ),
});
export type JoinedRecord = Static<typeof JoinedRecord>;

/** The messages of this node that are undecided at each party. */
export const JoinedTopics = Type.Object({
  parties: Type.Array(
    Type.Object({
      party: Type.String(),
      answer: oneOf(['held', 'unknown']),
      undecided: Type.Array(
        Type.Object({ id: Uuid, missing: Type.Optional(ProgressStep), waits: Type.Array(JoinedWait) }),
      ),
    }),
  ),
});
export type JoinedTopics = Static<typeof JoinedTopics>;

/** The parties of the stack with the state of their nodes. */
export const JoinedParties = Type.Object({
  parties: Type.Array(
    Type.Object({
      party: Type.String(),
      answer: oneOf(['held', 'unknown']),
      lastSequence: Type.Optional(Type.Integer()),
      chainHead: Type.Optional(Type.Integer()),
      chainProcessed: Type.Optional(Type.Integer()),
      notDelivered: Type.Optional(Type.Integer({ description: 'private batches and files that wait for a peer' })),
    }),
  ),
});
export type JoinedParties = Static<typeof JoinedParties>;

/** The services of the stack as the supervisor reports them. */
export const JoinedServices = Type.Object({
  services: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.String(),
      state: Type.String(),
      restarts: Type.Integer(),
      memoryBytes: Type.Optional(Type.Integer({ description: 'where the system says' })),
      startedAt: Type.Optional(Time),
      message: Type.Optional(Type.String({ description: 'why it ended last' })),
      isThis: Type.Optional(Type.Boolean({ description: 'it is the node that answers' })),
    }),
  ),
});
export type JoinedServices = Static<typeof JoinedServices>;

/** The nodes that run now, with the addresses of their explorers. */
export const JoinedExplorers = Type.Object({
  explorers: Type.Array(Type.Object({ name: Type.String(), url: Type.String() })),
});
export type JoinedExplorers = Static<typeof JoinedExplorers>;

/** A service after it was paused or resumed. */
export const PausedService = Type.Object({
  service: Type.Object({ name: Type.String(), state: Type.String() }),
});

/** The header that an explorer sends with requests that change the stack; a page of another origin cannot send it. */
export const explorerHeader = 'x-parley-ui';

/** The last log lines of the chain, the store and this party's node. */
export const JoinedLogs = Type.Object({
  lines: Type.Array(Type.Object({ service: Type.String(), line: Type.String() })),
});
