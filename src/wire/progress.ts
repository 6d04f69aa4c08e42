import { type Static, Type } from '@sinclair/typebox';
import { Hash, oneOf, Time, Uuid } from './scalar.js';

/** The stations of a message on its way; which of them it has depends on its kind (S §3.7). */
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

/** What something waits for. */
export const Wait = Type.Object({
  on: oneOf(['operation', 'batch', 'blob', 'definition', 'context', 'judgement']),
  since: Time,
  context: Type.Optional(Type.Object({ topic: Type.Optional(Type.String()), group: Type.Optional(Hash) })),
  message: Type.Optional(Uuid),
  batch: Type.Optional(Uuid),
  author: Type.Optional(Type.String({ description: 'DID of whoever can bring it' })),
  detail: Type.String({ description: 'one sentence for people' }),
});
export type Wait = Static<typeof Wait>;

/** Where a message or batch is, and why it does not go on (S §3.7). */
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
