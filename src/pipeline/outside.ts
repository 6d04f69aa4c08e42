import type { OwnIdentity } from './common/identities/own-identity.js';
import { createSendBlob, createUploadBlob, createUploadValue, type SendBlobParts } from './dispatch/blob.js';
import { type ChainCallParts, createChainCalls } from './dispatch/chain/chain-call.js';
import { createSendEnvelope, type PeerParts } from './dispatch/peer.js';
import { createInvoke, type InvokeParts } from './dispatch/chain/invoke.js';
import { createPinBatch } from './dispatch/chain/pin.js';
import { createUntilRecorded, type RecordedParts } from './dispatch/recorded.js';
import { createRegisterIdentity } from './dispatch/chain/register.js';
import { createApproveTokens, createTransferTokens, type TokenCallParts } from './dispatch/chain/token.js';
import { createCreatePool, type CreatePoolParts } from './dispatch/chain/token-pool.js';
import { createUploadBatch, type UploadParts } from './dispatch/upload.js';
import type { LoopParts } from './loop.js';
import { createOperator, type Operator } from './operations/operate.js';
import {
  blobLane,
  callLane,
  fetchBlobLane,
  fetchLane,
  fetchLargeLane,
  keyLane,
  peerLane,
  sourceLane,
  storeLane,
} from './operations/operation.js';
import { type ActivatePoolParts, createActivatePool } from './receive/tokens/activate-pool.js';
import { createDownloadBlob, type ReceiveBlobParts } from './receive/data/blob.js';
import { createFetchBatch, type FetchParts } from './receive/messages/fetch.js';

export interface OutsideParts
  extends
    Omit<UploadParts, 'signAhead'>,
    FetchParts,
    ChainCallParts,
    PeerParts,
    SendBlobParts,
    ReceiveBlobParts,
    RecordedParts,
    Omit<ActivatePoolParts, 'blockchain'>,
    Omit<InvokeParts, 'callChain'>,
    Omit<TokenCallParts, 'callChain' | 'untilRecorded'>,
    Omit<CreatePoolParts, 'callChain' | 'untilRecorded'> {
  readonly own: OwnIdentity;
  readonly onDefect: LoopParts['onDefect'];
}

/** Limits of operations in progress, by lane. */
const maxUploads = 8;
const maxDownloads = 10;
const maxLargeDownloads = 4;
/** Pins of a key are mined in the order of sealing. */
const maxPins = 1;
const maxCalls = 64;
/** Each history takes many reads of the chain. */
const maxSources = 4;
/** Each peer has its own lanes, so a slow or absent one delays no other (docs/protocol.md §11.6). */
const maxEnvelopes = 8;
const maxBlobSends = 2;

/** Creates the operator: the runner of each type of operation, and the lanes. */
export function createOutside(parts: OutsideParts): Operator {
  const { callChain, signAhead } = createChainCalls(parts);
  const untilRecorded = createUntilRecorded(parts);
  const invoke = createInvoke({ ...parts, callChain });
  return createOperator({
    ...parts,
    types: {
      sharedstorage_upload_batch: createUploadBatch({ ...parts, signAhead }),
      sharedstorage_upload_blob: createUploadBlob(parts),
      sharedstorage_upload_value: createUploadValue(parts),
      sharedstorage_download_batch: createFetchBatch(parts),
      sharedstorage_download_blob: createDownloadBlob(parts),
      blockchain_pin_batch: createPinBatch({ ...parts, callChain, untilRecorded }),
      blockchain_register_identity: createRegisterIdentity({ callChain }),
      blockchain_deploy: invoke,
      blockchain_invoke: invoke,
      token_create_pool: createCreatePool({ ...parts, callChain, untilRecorded }),
      token_activate_pool: createActivatePool(parts),
      token_transfer: createTransferTokens({ ...parts, callChain, untilRecorded }),
      token_approval: createApproveTokens({ ...parts, callChain, untilRecorded }),
      dataexchange_send_batch: createSendEnvelope(parts),
      dataexchange_send_blob: createSendBlob(parts),
    },
    lanes: createLanes(parts),
  });
}

/** The lanes of all services, own keys and peers. */
function createLanes({ database, registry, own }: Pick<OutsideParts, 'database' | 'registry' | 'own'>) {
  let known: readonly string[] | undefined;
  let lanes: Readonly<Record<string, number>> = {};
  return async () => {
    const nodes = await registry.nodes(database);
    if (nodes !== known) lanes = lanesOf(own.keys, nodes);
    known = nodes;
    return lanes;
  };
}

function lanesOf(keys: readonly string[], nodes: readonly string[]): Readonly<Record<string, number>> {
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
    ]),
  ]);
}
