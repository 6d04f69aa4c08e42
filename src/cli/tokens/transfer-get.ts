import { ClientError } from '../../client/errors.js';
import type { Client } from '../../client/client.js';
import type { CommandResult } from '../base.js';
import { resolveTransferId } from '../ids.js';
import { valuesOf } from '../messages/messages.js';
import { readOwners } from '../owners.js';
import { readPools } from './pool-table.js';
import type { Target } from '../target.js';
import { transferText } from './transfer-table.js';

/** `stack transfers get`. @throws CliError NOT_FOUND, USAGE; ClientError, UnreachableError */
export async function showTransfer({ party: { client } }: Target, typed: string): Promise<CommandResult> {
  const localId = await resolveTransferId(client, typed);
  const { value, text } = await client.getTokenTransfer({ path: { localId } });
  const [owners, pools, values] = await Promise.all([
    readOwners(client),
    readPools(client),
    value.message === undefined ? undefined : readValues(client, value.message),
  ]);
  return { json: text, text: transferText(value, { owners, pools, values }), primary: value.amount };
}

/** The values of a message; undefined where it is for others. */
async function readValues(client: Client, id: string): Promise<string | undefined> {
  try {
    const { value } = await client.getMessage({ path: { msgid: id }, query: { data: true } });
    return valuesOf(value, Number.POSITIVE_INFINITY);
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}
