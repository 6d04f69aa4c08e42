import type { OwnIdentity } from './state/identities/own-identity.js';
import { createSendBlob, createUploadBlob, createUploadValue, type SendBlobParts } from './dispatch/blob.js';
import { type ChainCallParts, createChainCalls } from './dispatch/chain/chain-call.js';
import { createSendEnvelope, type PeerParts } from './dispatch/peer.js';
import { createRequestBatch } from './dispatch/request.js';
import { createInvoke, type InvokeParts } from './dispatch/chain/invoke.js';
import { createPinBatch } from './dispatch/chain/pin.js';
import { createUntilRecorded, type RecordedParts } from './dispatch/recorded.js';
import { createRegisterIdentity } from './dispatch/chain/register.js';
import { createApproveTokens, createTransferTokens, type TokenCallParts } from './dispatch/chain/token.js';
import { createCreatePool, type CreatePoolParts } from './dispatch/chain/token-pool.js';
import { createUploadBatch, type UploadParts } from './dispatch/upload.js';
import type { LoopParts } from './loop.js';
import { createLanes } from './operations/lanes.js';
import { createOperator, type Operator } from './operations/operate.js';
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
      dataexchange_request_batch: createRequestBatch(parts),
    },
    lanes: createLanes(parts),
  });
}
