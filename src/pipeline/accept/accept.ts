import type { Blockchain } from '../../ports/blockchain.js';
import type { JudgeRequest } from '../judging/requests.js';
import type { Rulebook } from '../state/rulebook.js';
import { createCancelBatch } from './messages/cancel.js';
import { type ContractAcceptance, type ContractParts, createContractAcceptance } from './contracts/contract.js';
import { type AcceptDatatype, createAcceptDatatype } from './definition.js';
import { createIdentityAcceptance, type IdentityAcceptance } from './identities/identity.js';
import { type AcceptParts, createSender } from './messages/message.js';
import { createPublisher, type Publisher, type PublisherParts } from './data/publish.js';
import { createRemoveData, type RemoveData } from './data/remove.js';
import { createListenerAcceptance, type ListenerAcceptance } from './contracts/listener.js';
import { createRetryOperation } from './messages/retry.js';
import {
  createSubscriptionAcceptance,
  type SubscriptionAcceptance,
  type SubscriptionParts,
} from './events/subscription.js';
import { createTokenAcceptance, type TokenAcceptance, type TokenAcceptanceParts } from './tokens/token.js';
import { createUploader, type Uploader, type UploadParts } from './data/upload.js';
import type { Sender } from '../state/messages/sender.js';

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
