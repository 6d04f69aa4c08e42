import type { Database } from '../../ports/database.js';
import type { OwnIdentity } from '../state/identities/own-identity.js';
import type { Registry } from '../state/identities/registry.js';
import type { Lanes } from './operate.js';
import {
  blobLane,
  callLane,
  fetchBlobLane,
  fetchLane,
  fetchLargeLane,
  keyLane,
  memberLane,
  peerLane,
  sourceLane,
  storeLane,
} from './operation.js';

/** Limits of operations in progress, by lane. */
const maxUploads = 8;
/** Downloads of each member's content. */
const maxDownloads = 5;
const maxLargeDownloads = 2;
/** Pins of a key are mined in the order of sealing. */
const maxPins = 1;
const maxCalls = 64;
/** Each history takes many reads of the chain. */
const maxSources = 4;
/** Each peer has its own lanes, so a slow or absent one delays no other (docs/protocol.md §11.6). */
const maxEnvelopes = 8;
const maxBlobSends = 2;

interface LanesParts {
  readonly database: Database;
  readonly registry: Pick<Registry, 'nodes'>;
  readonly own: Pick<OwnIdentity, 'keys'>;
}

/** Returns the lanes of all services, of this node's keys and of its peers. */
export function createLanes({ database, registry, own }: LanesParts): () => Promise<Lanes> {
  let lanes: Lanes = {};
  let known: { readonly nodes: readonly string[]; readonly keyCount: number } | undefined;
  return async () => {
    const nodes = await registry.nodes(database);
    // The list of nodes is a new one after a change of the registry; keys are only added, to the same list.
    const keyCount = own.keys.length;
    if (known?.nodes !== nodes || known.keyCount !== keyCount) lanes = lanesOf(own.keys, nodes);
    known = { nodes, keyCount };
    return lanes;
  };
}

function lanesOf(keys: readonly string[], nodes: readonly string[]): Lanes {
  return Object.fromEntries([
    [storeLane, maxUploads],
    [fetchLane, maxDownloads],
    [fetchLargeLane, maxLargeDownloads],
    [fetchBlobLane, maxDownloads],
    [sourceLane, maxSources],
    ...keys.flatMap((key) => [
      [keyLane(key), maxPins],
      [callLane(key), maxCalls],
    ]),
    ...nodes.flatMap((node) => [
      [peerLane(node), maxEnvelopes],
      [blobLane(node), maxBlobSends],
      [memberLane(fetchLane, node), maxDownloads],
      [memberLane(fetchLargeLane, node), maxLargeDownloads],
      [memberLane(fetchBlobLane, node), maxDownloads],
    ]),
  ]);
}
