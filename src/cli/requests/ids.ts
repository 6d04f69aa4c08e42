import type { Client } from '../../client/client.js';
import { type ListName, readPage, type RecordOf } from '../../client/page.js';
import { CliError } from '../errors/exit.js';

const minPrefix = 4;
/** Maximum number of candidates that are listed for an ambiguous prefix. */
const maxCandidates = 10;

interface Kind<Name extends ListName> {
  readonly route: Name;
  readonly field: 'id' | 'hash';
  /** The node's name of the field, if it differs. */
  readonly parameter?: string;
  readonly noun: string;
  readonly key: (value: RecordOf<Name>) => string;
}

/** Resolves the id of a message (docs/operations.md §11.1). @throws CliError USAGE, NOT_FOUND; ClientError */
export function resolveMessageId(client: Client, id: string): Promise<string> {
  const key = (message: RecordOf<'listMessages'>) => message.header.id;
  return resolve(client, id, { route: 'listMessages', field: 'id', noun: 'message', key });
}

/** Resolves the id of a data item. @throws as `resolveMessageId` */
export function resolveDataId(client: Client, id: string): Promise<string> {
  return resolve(client, id, { route: 'listData', field: 'id', noun: 'data item', key: (data) => data.id });
}

/** Resolves the hash of a group. @throws as `resolveMessageId` */
export function resolveGroupHash(client: Client, hash: string): Promise<string> {
  return resolve(client, hash, { route: 'listGroups', field: 'hash', noun: 'group', key: (group) => group.hash });
}

/** Resolves the id of a subscription. @throws as `resolveMessageId` */
export function resolveSubscriptionId(client: Client, id: string): Promise<string> {
  return resolve(client, id, { route: 'listSubscriptions', field: 'id', noun: 'subscription', key: (each) => each.id });
}

/** Resolves the id of a mint, transfer or burn. @throws as `resolveMessageId` */
export function resolveTransferId(client: Client, id: string): Promise<string> {
  const key = (transfer: RecordOf<'listTokenTransfers'>) => transfer.localId;
  return resolve(client, id, { route: 'listTokenTransfers', field: 'id', parameter: 'localid', noun: 'transfer', key });
}

/** Completes the first characters of an id or hash, at least four, at the node. A full one is returned unchanged. */
async function resolve<Name extends ListName>(
  client: Client,
  typed: string,
  { route, field, parameter = field, noun, key }: Kind<Name>,
): Promise<string> {
  const wanted = typed.toLowerCase();
  if (isWhole[field].test(wanted)) return wanted;
  if (wanted.length < minPrefix || !/^[0-9a-f-]+$/.test(wanted)) {
    const either = `neither the ${field} of a ${noun} nor the first ${minPrefix} or more characters of one`;
    throw new CliError('USAGE', `"${typed}" is ${either}.`);
  }
  const limit = String(maxCandidates + 1);
  const { entries } = await readPage(client, route, [
    [parameter, `^${wanted}`],
    ['limit', limit],
  ]);
  const found = [...new Set(entries.map(({ value }) => key(value)))];
  const [only, ...others] = found;
  if (only === undefined) throw new CliError('NOT_FOUND', `No ${noun} begins with ${typed}.`);
  if (others.length === 0) return only;
  const more = found.length > maxCandidates ? ' and more' : '';
  throw new CliError('USAGE', `Several begin with ${typed}: ${found.slice(0, maxCandidates).join(', ')}${more}.`);
}

const isWhole = {
  id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  hash: /^[0-9a-f]{64}$/,
} as const;
