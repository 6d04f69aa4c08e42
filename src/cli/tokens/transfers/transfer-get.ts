import { ClientError, UnreachableError } from '../../../client/errors.js';
import type { Client } from '../../../client/client.js';
import type { Entry } from '../../../client/page.js';
import type { TokenTransfer } from '../../../wire/token.js';
import type { CommandResult } from '../../base.js';
import { CliError } from '../../errors/exit.js';
import { resolveTransferId } from '../../requests/ids.js';
import { valuesOf } from '../../messages/listing/messages.js';
import { readOwners } from '../../requests/owners.js';
import { readPools } from '../pools/pool-table.js';
import type { Output } from '../../terminal/output.js';
import type { PartyNode, Target } from '../../requests/target.js';
import { sameTransfer } from '../await.js';
import { transferText } from './transfer-table.js';

/**
 * `stack transfers get`. Each node has its own id for a transfer. The id of another party of the stack is accepted,
 * too, and resolved by the position on the chain.
 *
 * @throws CliError NOT_FOUND, USAGE; ClientError, UnreachableError
 */
export async function showTransfer(target: Target, typed: string, output: Output): Promise<CommandResult> {
  const { client, name } = target.party;
  const { entry, from } = await findTransfer(target, typed);
  const { value, text } = entry;
  if (from !== undefined) {
    await output.note(`${from.id} is the id at ${from.party}; at ${name} the transfer has the id ${value.localId}.`);
  }
  const [owners, pools, values] = await Promise.all([
    readOwners(client),
    readPools(client),
    value.message === undefined ? undefined : readValues(client, value.message),
  ]);
  return { json: text, text: transferText(value, { owners, pools, values }), primary: value.amount };
}

interface Found {
  readonly entry: Entry<TokenTransfer>;
  /** Another party whose id was typed. */
  readonly from?: { readonly party: string; readonly id: string };
}

async function findTransfer(target: Target, typed: string): Promise<Found> {
  try {
    return { entry: await readTransfer(target.party, typed) };
  } catch (error) {
    if (!isAbsent(error)) throw error;
    for (const party of target.parties.filter((each) => each !== target.party)) {
      const there = await readTransfer(party, typed).catch((other: unknown) => {
        if (isAbsent(other) || other instanceof UnreachableError) return undefined;
        throw other;
      });
      const entry = there && (await sameTransfer(target.party, there.value));
      if (there !== undefined && entry !== undefined) {
        return { entry, from: { party: party.name, id: there.value.localId } };
      }
    }
    throw error;
  }
}

async function readTransfer({ client }: PartyNode, typed: string): Promise<Entry<TokenTransfer>> {
  const localId = await resolveTransferId(client, typed);
  return client.getTokenTransfer({ path: { localId } });
}

function isAbsent(error: unknown): boolean {
  if (error instanceof CliError) return error.code === 'NOT_FOUND';
  return error instanceof ClientError && error.status === 404;
}

/** The values of a message; undefined if this node is not a recipient. */
async function readValues(client: Client, id: string): Promise<string | undefined> {
  try {
    const { value } = await client.getMessage({ path: { msgid: id }, query: { data: true } });
    return valuesOf(value, Number.POSITIVE_INFINITY);
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}
