import { access } from 'node:fs/promises';
import { UnreachableError } from '../../client/errors.js';
import { connectControl, statusOf } from '../../stack/control/control.js';
import { silentState } from '../../stack/control/living.js';
import { CliError } from '../errors/exit.js';
import type { PartyPlace } from './party-transport.js';

/** The address of a party's node, whose port may change when its stack is restarted. */
export interface NodeAddress {
  /** Returns a URL of the node with its present port. */
  urlOf(url: string): string;
  /**
   * Finds the present port. Must be awaited before a connection is repeated, since another program may listen at the
   * former port, which would get the credential of the party.
   *
   * @throws UnreachableError while the node does not run; CliError NOT_FOUND if the stack was removed
   */
  find(): Promise<void>;
}

/** Follows the address of a party's node, which is at `url` now. */
export function followAddress(
  { stack, party, layout }: Pick<PartyPlace, 'stack' | 'party' | 'layout'>,
  url: string,
): NodeAddress {
  let present = new URL(url);
  const away = () => new UnreachableError(present.origin, new Error('the node is not running'));
  return {
    urlOf: (given) => atPort(given, present.port),
    async find() {
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
      present = new URL(atPort(url, new URL(view.url).port));
    },
  };
}

function atPort(url: string, port: string): string {
  const there = new URL(url);
  if (there.port === port) return url;
  there.port = port;
  return there.href;
}
