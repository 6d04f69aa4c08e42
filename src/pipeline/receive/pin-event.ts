import { pinEventTopic, systemNamespace } from '../../domain/identity.js';
import type { PinLog } from '../../ports/blockchain.js';
import type { Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import { textOf } from '../../wire/json.js';
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

/** The log as its contract has it: a uuid is 32 digits, and a hash begins with `0x`. */
function outputOf({ signer, transactionId, batchId, batchHash, payloadRef, contexts }: PinLog) {
  return textOf({
    author: signer,
    uuids: `0x${transactionId}${batchId}`.replaceAll('-', ''),
    batchHash: `0x${batchHash}`,
    payloadRef,
    contexts: contexts.map((context) => `0x${context}`),
  });
}
