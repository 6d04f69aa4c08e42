import { fireflyPinTopic, pinEventTopic, systemNamespace } from '../../../domain/network/identity.js';
import type { PinLog } from '../../../ports/blockchain.js';
import type { Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { BatchRow, Tables } from '../../../ports/tables/tables.js';
import { textOf } from '../../../wire/json/json.js';
import { newEvent } from '../../state/events/event-row.js';
import { newBlockchainEvent } from '../contracts/blockchain-event.js';

const name = 'BatchPin';
const signature = 'BatchPin(address,bytes32,bytes32,string,bytes32[])';
const source = 'ethereum';
const origin = 'network';

/**
 * Records the blockchain events of pins, in the system namespace so as not to fill the others (docs/api.md §13.2). The
 * caller must ensure that no pin occurs twice.
 *
 * @param contract address of `Network.sol`
 */
export async function recordPinEvents(
  unit: Unit,
  logs: readonly PinLog[],
  { contract, random, created }: { readonly contract: string; readonly random: Random; readonly created: string },
): Promise<void> {
  const rows = logs.map((log) =>
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
    rows.map(({ record }) => record),
  );
  await unit.insert(
    'events',
    rows.map(({ event }) => event),
  );
}

/** Pins read that name the same transaction; more are ignored. */
const maxNamesakes = 16;

/** Returns the chain's transaction hash of a batch's pin, or nothing if unknown. */
export async function pinnedIn(
  unit: Unit,
  { txid, id, signer }: Pick<BatchRow, 'txid' | 'id' | 'signer'>,
): Promise<readonly string[]> {
  const its = await findPin(unit, { txid, id, signer });
  return its === undefined || its.blockchainId === null ? [] : [its.blockchainId];
}

/**
 * Records the pin in the batch's own namespace too, as FireFly does. This is only possible once the batch is held,
 * since a pin names no namespace; non-members do not see pins of private batches.
 */
export async function recordPinInNamespace(
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
  const pins = await unit.rows('blockchainevents', { namespace: systemNamespace, txid }, { limit: maxNamesakes });
  return pins.find(({ output }) => output.includes(uuidsOf(txid, id)) && output.includes(`"${signer}"`));
}

function uuidsOf(transactionId: string, batchId: string): string {
  return `0x${transactionId}${batchId}`.replaceAll('-', '');
}

/** The event's arguments as the contract has them: uuids as 32 digits, hashes with `0x`. */
function outputOf({ signer, transactionId, batchId, batchHash, payloadRef, contexts }: PinLog) {
  return textOf({
    author: signer,
    uuids: uuidsOf(transactionId, batchId),
    batchHash: `0x${batchHash}`,
    payloadRef,
    contexts: contexts.map((context) => `0x${context}`),
  });
}
