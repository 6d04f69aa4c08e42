import { nearestHint } from '../../wire/lists/query.js';
import { CliError } from '../errors/exit.js';

/** Selects a party by name, or the first. @throws CliError NOT_FOUND */
export function chooseParty(
  nodes: readonly { readonly name: string }[],
  wanted: string | undefined,
  stack: string,
): string {
  const party = wanted === undefined ? nodes[0] : nodes.find(({ name }) => name === wanted);
  if (party !== undefined) return party.name;
  const names = nodes.map(({ name }) => name);
  const near = nearestHint(wanted ?? '', names);
  throw new CliError('NOT_FOUND', `The stack ${stack} has no party "${wanted ?? ''}"${near}`);
}
