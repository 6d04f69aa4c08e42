import { type Static, Type } from '@sinclair/typebox';
import { Hash, oneOf, Time } from '../scalar.js';

/** One end of a disturbed link. */
const End = Type.Object({
  party: Type.String(),
  /** SHA-256 of the public key by which peers know its node. */
  key: Hash,
});

/**
 * An injected fault, for testing how a network reacts: `cut` and `delay` apply to the link from one party to another,
 * `drop` to a party's reads from the shared store.
 */
export const Fault = Type.Object({
  id: Type.String(),
  kind: oneOf(['cut', 'delay', 'drop']),
  from: End,
  /** Absent for `drop`. */
  to: Type.Optional(End),
  /** Whether only one direction is affected. */
  oneWay: Type.Boolean(),
  delayMs: Type.Optional(Type.Integer({ minimum: 1 })),
  since: Time,
  /** Time at which it expires. */
  until: Type.Optional(Time),
});
export type Fault = Static<typeof Fault>;

/** The file `run/faults.json`, which the nodes of a stack read. */
export const FaultFile = Type.Object({ version: Type.Literal(1), faults: Type.Array(Fault) });

/** Whether a fault is active at a time of day. */
export function isInForce({ until }: Pick<Fault, 'until'>, now: string): boolean {
  return until === undefined || until > now;
}

/** Describes a fault: `the link alice → bob is cut`. */
export function faultText({ kind, from, to, oneWay, delayMs = 0 }: Fault): string {
  if (kind === 'drop') return `what ${from.party} reads from the shared store fails`;
  const link = `the link ${from.party} ${oneWay ? '→' : '↔'} ${to?.party ?? ''}`;
  return kind === 'cut' ? `${link} is cut` : `${link} is slower by ${delayMs} ms`;
}
