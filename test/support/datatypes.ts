import type { AcceptedDatatype } from '../../src/pipeline/accept/definition.js';
import { textOf } from '../../src/wire/json.js';
import type { Party, Pipelines } from './pipelines.js';
import { rowsOf } from './pipelines-check.js';

/** The schema of an order. */
export const order = { type: 'object', required: ['order'], properties: { order: { type: 'integer' } } };
/** What it is called. */
export const datatype = { name: 'order', version: '1.0' };

/** Defines orders, or something else, at a party. */
export function define(party: Party, value: unknown = order, { name, version } = datatype): Promise<AcceptedDatatype> {
  return party.pipeline().acceptDatatype('default', { name, version, value: textOf(value) });
}

/** What a party says of a message, with the code of the reason. */
export async function stateOf(party: Party, id: string) {
  const row = (await rowsOf(party.database(), 'messages')).find((message) => message.id === id);
  return row === undefined ? undefined : { state: row.state, code: row.rejectReason?.split(':')[0] };
}

/** The parties once nothing moves any more. */
export async function settled(network: Pipelines): Promise<readonly Party[]> {
  await network.settle();
  return network.parties;
}
