import { fireflyPinTopic, pinEventTopic, systemNamespace } from '../../domain/identity.js';
import type { PinLog } from '../../ports/blockchain.js';
import type { Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { BatchRow, Tables } from '../../ports/tables.js';
import { textOf } from '../../wire/json.js';
import { equal, oldestFirst } from '../../wire/query.js';
import { newEvent } from '../rows.js';
import { newBlockchainEvent } from './blockchain-event.js';

/** `Network.sol`'s event, as a listener for it would name it. */
const name = 'BatchPin';
const signature = 'BatchPin(address,bytes32,bytes32,string,bytes32[])';
const source = 'ethereum';
/** The origin of pins: the network itself. */
const origin = 'network';

/**
 * The blockchain events of pins that have taken their place, in the system namespace so as not to crowd any other
 * (docs/api.md §13.2). The caller sees to it that no pin comes twice.
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
      backendId: origin,
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

/** The limit on pins that name the same transaction; others are ignored. */
const maxNamesakes = 16;

/** Hash of the transaction of the chain that a batch was pinned in; none where that was not told. */
export async function pinnedIn(
  unit: Unit,
  { txid, id, signer }: Pick<BatchRow, 'txid' | 'id' | 'signer'>,
): Promise<readonly string[]> {
  const its = await findPin(unit, { txid, id, signer });
  return its === undefined || its.blockchainId === null ? [] : [its.blockchainId];
}

/**
 * Tells of the pin of a batch in the namespace of the batch, too, as FireFly does: a pin names no namespace, so this is
 * only possible once the batch is held, and others than its members hear nothing of a private one.
 */
export async function tellInNamespace(
  unit: Unit,
  { batch, namespace }: { readonly batch: Pick<BatchRow, 'txid' | 'id' | 'signer'>; readonly namespace: string },
  { random, created }: { readonly random: Random; readonly created: string },
): Promise<void> {
  const pin = namespace === systemNamespace ? undefined : await findPin(unit, batch);
  if (pin === undefined) return;
  const { sequence: _, ...record } = pin;
  const id = random.uuid();
  const { txid: tx, listener } = record;
  const txtype = 'batch_pin';
  const subject = { namespace, id: random.uuid(), type: 'blockchain_event_received', reference: id } as const;
  await unit.insert('blockchainevents', [{ ...record, namespace, id }]);
  await unit.insert('events', [
    newEvent({ ...subject, tx, txtype, topic: fireflyPinTopic, chainName: name, listener, created }),
  ]);
}

async function findPin(
  unit: Unit,
  { txid, id, signer }: Pick<BatchRow, 'txid' | 'id' | 'signer'>,
): Promise<Tables['blockchainevents'] | undefined> {
  const where = [equal('txid', txid)];
  const shared = { namespace: systemNamespace, sort: oldestFirst, limit: maxNamesakes };
  const pins = await unit.find('blockchainevents', { ...shared, where });
  return pins.find(({ output }) => output.includes(uuidsOf(txid, id)) && output.includes(`"${signer}"`));
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
