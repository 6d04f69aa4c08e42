import { access } from 'node:fs/promises';
import { UnreachableError } from '../../client/errors.js';
import { connectControl, statusOf } from '../../stack/control/control.js';
import { silentState } from '../../stack/control/living.js';
import { CliError } from '../errors/exit.js';
import type { PartyPlace } from './party-transport.js';

/**
 * Creates the check before a connection to the node of a party is repeated. Meanwhile another program may listen at its
 * address, which would get the credential of the party.
 *
 * The check fails with an UnreachableError while the node does not run; with a CliError UNHEALTHY if it has another
 * address, NOT_FOUND if the stack was removed.
 */
export function createSameNodeCheck(
  { stack, party, layout }: Pick<PartyPlace, 'stack' | 'party' | 'layout'>,
  url: string,
): () => Promise<void> {
  const away = () => new UnreachableError(url, new Error('the node is not running'));
  return async () => {
    const status = (await statusOf(await connectControl(layout))) ?? (await silentState({ layout }));
    if (status === undefined) {
      const isKept = await access(layout.directory).then(
        () => true,
        () => false,
      );
      throw isKept ? away() : new CliError('NOT_FOUND', `The stack ${stack} was removed.`);
    }
    const view = status.services.find(({ name }) => name === party);
    // The supervisor does not know nodes that the user runs.
    if (view === undefined) return;
    if (view.pid === null || view.url === null) throw away();
    if (new URL(view.url).port === new URL(url).port) return;
    throw new CliError('UNHEALTHY', `${party} of the stack ${stack} has another address now: ${view.url}.`, {
      hint: 'Repeat the command.',
    });
  };
}
