import type { Blockchain } from '../../ports/blockchain.js';
import type { JudgeRequest } from '../judging/requests.js';
import type { Rulebook } from '../rulebook.js';
import { createCancelBatch } from './cancel.js';
import { type ContractAcceptance, type ContractParts, createContractAcceptance } from './contract.js';
import { type AcceptDatatype, createAcceptDatatype } from './definition.js';
import { createIdentityAcceptance, type IdentityAcceptance } from './identity.js';
import { type AcceptParts, createSender } from './message.js';
import { createPublisher, type Publisher, type PublisherParts } from './publish.js';
import { createRemoveData, type RemoveData } from './remove.js';
import { createListenerAcceptance, type ListenerAcceptance } from './listener.js';
import { createRetryOperation } from './retry.js';
import { createSubscriptionAcceptance, type SubscriptionAcceptance, type SubscriptionParts } from './subscription.js';
import { createTokenAcceptance, type TokenAcceptance, type TokenAcceptanceParts } from './token.js';
import { createUploader, type Uploader, type UploadParts } from './upload.js';
import type { Sender } from '../sender.js';

export interface Acceptance
  extends Sender, IdentityAcceptance, SubscriptionAcceptance, ContractAcceptance, ListenerAcceptance, TokenAcceptance {
  readonly acceptDatatype: AcceptDatatype;
  readonly uploader: Uploader;
  readonly publisher: Publisher;
  readonly removeData: RemoveData;
  readonly cancelBatch: ReturnType<typeof createCancelBatch>;
  readonly retryOperation: ReturnType<typeof createRetryOperation>;
}

export interface AcceptanceParts
  extends
    AcceptParts,
    UploadParts,
    PublisherParts,
    SubscriptionParts,
    Omit<ContractParts, keyof Sender>,
    Omit<TokenAcceptanceParts, keyof Sender> {
  readonly judgeRequest: JudgeRequest;
  readonly rulebook: Rulebook;
  readonly blockchain: Blockchain;
  readonly createKey?: (() => Promise<string>) | undefined;
  readonly fundsKeys?: boolean | undefined;
}

export function createAcceptance(parts: AcceptanceParts): Acceptance {
  const sender = createSender(parts);
  return {
    ...sender,
    acceptDatatype: createAcceptDatatype({ ...parts, ...sender }),
    ...createIdentityAcceptance({ ...parts, ...sender }),
    ...createContractAcceptance({ ...parts, ...sender }),
    ...createSubscriptionAcceptance(parts),
    ...createListenerAcceptance(parts),
    ...createTokenAcceptance({ ...parts, ...sender }),
    uploader: createUploader(parts),
    publisher: createPublisher(parts),
    removeData: createRemoveData(parts),
    cancelBatch: createCancelBatch(parts),
    retryOperation: createRetryOperation(parts),
  };
}
