import { pinEventTopic, systemNamespace } from '../../domain/identity.js';
import type { PinLog } from '../../ports/blockchain.js';
import type { Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { BatchRow } from '../../ports/tables.js';
import { textOf } from '../../wire/json.js';
import { equal, oldestFirst } from '../../wire/query.js';
import { newBlockchainEvent } from './blockchain-event.js';

/** `Network.sol`'s event, as a listener for it would name it. */
const name = 'BatchPin';
const signature = 'BatchPin(address,bytes32,bytes32,string,bytes32[])';
const source = 'ethereum';
/** What pins are here for: the network itself. */
const origin = 'network';

/**
 * The blockchain events of pins that have taken their place, in the system namespace so as not to crowd any other (S
 * §10.2). The caller sees to it that no pin comes twice.
 *
 * @param contract address of `Network.sol`
 */
export async function tellOfPins(
  unit: Unit,
  logs: readonly PinLog[],
  { contract, random, created }: { readonly contract: string; readonly random: Random; readonly created: string },
): Promise<void> {
  const heard = logs.map((log) =>
    newBlockchainEvent({
      namespace: systemNamespace,
      id: random.uuid(),
      eventId: random.uuid(),
      source,
      name,
      signature,
      log: { ...log, address: contract },
      output: outputOf(log),
      listener: null,
      origin,
      topic: pinEventTopic,
      tx: { type: 'batch_pin', id: log.transactionId },
      created,
    }),
  );
  await unit.insert(
    'blockchainevents',
    heard.map(({ record }) => record),
  );
  await unit.insert(
    'events',
    heard.map(({ event }) => event),
  );
}

/** Who else names the same transaction is of no account. */
const maxNamesakes = 16;

/** Hash of the transaction of the chain that a batch was pinned in; none where that was not told. */
export async function pinnedIn(
  unit: Unit,
  { txid, id, signer }: Pick<BatchRow, 'txid' | 'id' | 'signer'>,
): Promise<readonly string[]> {
  const where = [equal('txid', txid)];
  const shared = { namespace: systemNamespace, sort: oldestFirst, limit: maxNamesakes };
  const pins = await unit.find('blockchainevents', { ...shared, where });
  const its = pins.find(({ output }) => output.includes(uuidsOf(txid, id)) && output.includes(`"${signer}"`));
  return its === undefined || its.blockchainId === null ? [] : [its.blockchainId];
}

function uuidsOf(transactionId: string, batchId: string): string {
  return `0x${transactionId}${batchId}`.replaceAll('-', '');
}

/** The log as its contract has it: a uuid is 32 digits, and a hash begins with `0x`. */
function outputOf({ signer, transactionId, batchId, batchHash, payloadRef, contexts }: PinLog) {
  return textOf({
    author: signer,
    uuids: uuidsOf(transactionId, batchId),
    batchHash: `0x${batchHash}`,
    payloadRef,
    contexts: contexts.map((context) => `0x${context}`),
  });
}
