import { eventEntry } from '../../src/domain/contracts/ffi.js';
import { signatureOf } from '../../src/domain/contracts/abi.js';
import { locationOf } from '../../src/domain/contracts/location.js';
import { writeParts } from '../../src/pipeline/records/contracts.js';
import { newBlockchainEvent } from '../../src/pipeline/receive/contracts/blockchain-event.js';
import type { Database } from '../../src/ports/database.js';
import { textOf } from '../../src/wire/json/json.js';
import { uuid } from './fixtures.js';
import { aChange, aListener, boxAddress, changed } from './listeners.js';

/** A contract API with an event, and a recorded blockchain event. */
export interface HeardBefore {
  readonly api: string;
  readonly event: string;
  readonly listener: string;
  /** Id of a blockchain event. */
  readonly heard: string;
  /** Returns the name of a listener that may be deleted; a new one each time. */
  readonly spareListener: () => string;
}

const namespace = 'default';
const created = '2026-01-15T10:00:00.000Z';
const maxSpares = 10;

/** Inserts them into a node's rows, without a chain. */
export async function putHeard(database: Database): Promise<HeardBefore> {
  const [id, api, event] = [uuid(400_001), 'heard-box', changed.name];
  const named = { namespace, message: null, networkName: null, published: false, pin: null };
  const events = [{ ...changed, pathname: event, signature: signatureOf(eventEntry(changed, 'event')) }];
  const parts = writeParts({ methods: [], events, errors: [] });
  const box = { ...named, id, name: 'heard', description: '', version: '1.0', ...parts };
  const its = { ...named, id: uuid(400_002), name: api, interface: id, location: locationOf(boxAddress) };
  const spares = Array.from({ length: maxSpares }, (_, n) => `heard-spare-${n}`);
  const listener = aListener({ id: uuid(400_003), name: 'heard', interface: id, location: its.location });
  const heard = newBlockchainEvent({
    namespace,
    id: uuid(400_004),
    eventId: uuid(400_005),
    source: 'ethereum',
    name: event,
    signature: listener.signature,
    log: aChange(7, { block: 3 }),
    output: textOf({ value: '7' }),
    listener: listener.id,
    backendId: 'sub-1',
    origin: listener.id,
    topic: listener.topic,
    created,
  });
  await database.transaction(async (unit) => {
    await unit.insert('interfaces', [box]);
    await unit.insert('apis', [its]);
    await unit.insert('listeners', [
      listener,
      ...spares.map((name, n) => aListener({ id: uuid(401_000 + n), name, topic: name })),
    ]);
    await unit.insert('blockchainevents', [heard.record]);
    await unit.insert('events', [heard.event]);
  });
  return { api, event, listener: listener.name, heard: heard.record.id, spareListener: () => spares.pop() ?? '' };
}
