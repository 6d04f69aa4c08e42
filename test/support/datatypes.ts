import type { AcceptedDatatype } from '../../src/pipeline/accept/definition.js';
import { textOf } from '../../src/wire/json/json.js';
import type { Party, Pipelines } from './pipelines.js';
import { rowsOf } from './pipelines-check.js';

export const order = { type: 'object', required: ['order'], properties: { order: { type: 'integer' } } };
/** The name of the order's datatype. */
export const datatype = { name: 'order', version: '1.0' };

/** Defines a datatype at a party, by default for orders. */
export function define(party: Party, value: unknown = order, { name, version } = datatype): Promise<AcceptedDatatype> {
  return party.pipeline().acceptDatatype('default', { name, version, value: textOf(value) });
}

/** Returns the state of a message at a party, with the code of its rejection. */
export async function stateOf(party: Party, id: string) {
  const row = (await rowsOf(party.database(), 'messages')).find((message) => message.id === id);
  return row === undefined ? undefined : { state: row.state, code: row.rejectReason?.split(':')[0] };
}

/** Returns the parties once the network is at rest. */
export async function settled(network: Pipelines): Promise<readonly Party[]> {
  await network.settle();
  return network.parties;
}
