import { type Static, Type } from '@sinclair/typebox';
import { Hash, oneOf, Time, Uuid } from '../scalar.js';

/** The steps of a message's progress; its kind determines which of them apply (docs/api.md §10.6). */
export const ProgressStep = oneOf([
  'accepted',
  'sealed',
  'stored',
  'delivered',
  'pinned',
  'batch',
  'data',
  'next',
  'decided',
]);
export type ProgressStep = Static<typeof ProgressStep>;

/** The reason why something waits. */
export const Wait = Type.Object({
  on: oneOf(['operation', 'batch', 'blob', 'definition', 'context', 'judgement']),
  since: Time,
  context: Type.Optional(Type.Object({ topic: Type.Optional(Type.String()), group: Type.Optional(Hash) })),
  message: Type.Optional(Uuid),
  batch: Type.Optional(Uuid),
  author: Type.Optional(Type.String({ description: 'DID of the party that can provide it' })),
  detail: Type.String({ description: 'one sentence for people' }),
});
export type Wait = Static<typeof Wait>;

/** The progress of a message or batch, and what it waits for (docs/api.md §10.6). */
export const Progress = Type.Object({
  id: Uuid,
  hash: Hash,
  state: Type.String(),
  steps: Type.Array(
    Type.Object({
      step: ProgressStep,
      time: Type.Optional(Time),
      info: Type.Optional(Type.String({ description: 'of a delivery: each recipient with its state' })),
    }),
  ),
  missing: Type.Optional(ProgressStep),
  waits: Type.Array(Wait),
});
export type Progress = Static<typeof Progress>;
