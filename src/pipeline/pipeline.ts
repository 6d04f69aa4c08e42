import { createDatatypes, type Datatypes } from '../domain/datatype.js';
import { organizationDid } from '../domain/identity.js';
import { assert } from '../domain/invariant.js';
import type { Blockchain } from '../ports/blockchain.js';
import type { Clock } from '../ports/clock.js';
import type { Database } from '../ports/database.js';
import type { Failpoint } from '../ports/failpoint.js';
import type { Files } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import type { Metrics } from '../ports/metrics.js';
import type { Random } from '../ports/random.js';
import type { DataExchange, Peer, PeerReceiver } from '../ports/data-exchange.js';
import type { SharedStore } from '../ports/shared-store.js';
import type { OwnIdentity } from './accept/author.js';
import { createCancelBatch } from './accept/cancel.js';
import { type AcceptDatatype, createAcceptDatatype } from './accept/definition.js';
import { createSender, type Sender } from './accept/message.js';
import { createRetryOperation } from './accept/retry.js';
import { createAdmitStep } from './admit.js';
import { createAnnounceStep } from './announce.js';
import { createPublisher, type Publisher } from './accept/publish.js';
import { createRemoveData, type RemoveData } from './accept/remove.js';
import { createUploader, type Uploader } from './accept/upload.js';
import { createValidate } from './accept/validate.js';
import { createAggregateStep, markAllDue } from './aggregate/aggregate.js';
import { createBatchStep } from './batch.js';
import { type Blobs, createBlobs } from './blobs.js';
import type { Bus } from './bus.js';
import { createDelivery, type Delivery } from './deliver/deliver.js';
import { createEventLog, type EventLog } from './deliver/event-log.js';
import { createSendBlob, createUploadBlob, createUploadValue } from './dispatch/blob.js';
import { createSendEnvelope } from './dispatch/peer.js';
import { createChainCalls } from './dispatch/chain-call.js';
import { createPinBatch } from './dispatch/pin.js';
import { createRegisterIdentity } from './dispatch/register.js';
import { createUploadBatch } from './dispatch/upload.js';
import { createIncoming, type Incoming, type IncomingLimits } from './incoming.js';
import type { ServiceAway } from './lane.js';
import { createLoop } from './loop.js';
import { createOperator } from './operate.js';
import { blobLane, fetchLane, keyLane, peerLane, storeLane } from './operation.js';
import { createRegistry } from './registry.js';
import { createBlobReceiver, createDownloadBlob } from './receive/blob.js';
import { createChainReceiver } from './receive/chain.js';
import { createFetchBatch } from './receive/fetch.js';
import { createEnvelopeReceiver } from './receive/peer.js';

/** The ports that the stages stand on. */
export interface PipelinePorts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly sharedStore: SharedStore;
  readonly dataExchange: DataExchange;
  /** Of this node alone: its blobs, and what is on its way to become one. */
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
}

export interface PipelineOptions extends PipelinePorts {
  readonly bus: Bus;
  /** Name of the organisation that this node speaks for; it signs with the blockchain's first key. */
  readonly organization: string;
  /** Namespaces of this node, the system's among them. */
  readonly namespaces: readonly string[];
  readonly blobLimits?: Partial<IncomingLimits> | undefined;
  /** This node as its peers should know it: the registry is told when it has something else. */
  readonly peer?: Peer | undefined;
  /** Told of what cannot be repaired here: a broken invariant, another chain. The node must stop. */
  readonly onFatal: (error: Error) => void;
}

/** The life of messages on one node (architecture, 1). */
export interface Pipeline extends Sender {
  readonly own: OwnIdentity;
  readonly datatypes: Datatypes;
  readonly acceptDatatype: AcceptDatatype;
  readonly cancelBatch: ReturnType<typeof createCancelBatch>;
  readonly retryOperation: ReturnType<typeof createRetryOperation>;
  readonly blobs: Blobs;
  readonly incoming: Incoming;
  readonly uploader: Uploader;
  readonly publisher: Publisher;
  readonly removeData: RemoveData;
  readonly delivery: Delivery;
  readonly eventLog: EventLog;
  start(): Promise<void>;
  /** Ends every loop after its step; what is under way goes on after the next start. */
  stop(): Promise<void>;
  /** Whether no stage has anything to do at this moment. */
  isIdle(): boolean;
  away(): readonly ServiceAway[];
  /** When a node, by its id, has brought something last in this life. */
  lastContact(node: string): string | undefined;
  processedBlock(): number;
}

/** How many operations of a lane may be under way at once (architecture, 6). */
const maxUploads = 8;
const maxDownloads = 10;
/** Pins of a key reach the chain in the order of sealing. */
const maxPins = 1;
/** A slow or absent peer delays no other (S §9.3), since each has lanes of its own. */
const maxEnvelopes = 8;
const maxBlobSends = 2;

/** Joins the stages; they share rows and bells and nothing else. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { database, blockchain, dataExchange, bus, clock, log, onFatal } = options;
  const [key] = blockchain.keys;
  assert(key !== undefined, 'a node has a signing key');
  const registry = createRegistry();
  const own: OwnIdentity = {
    organization: options.organization,
    did: organizationDid(options.organization),
    key,
    // Those of custom identities join while the node runs.
    get keys() {
      return blockchain.keys;
    },
  };
  const blobs = createBlobs(options);
  const incoming = createIncoming({ ...options, blobs, limits: options.blobLimits });
  const datatypes = createDatatypes();
  const validate = createValidate({ database, datatypes });
  const parts = { ...options, own, registry, blobs, incoming, datatypes, validate };
  const eventLog = createEventLog(database);

  const loopParts = { bus, clock, log, onDefect: onFatal };
  const loops = [
    createLoop({ name: 'batch', bell: 'messages', step: createBatchStep(parts), ...loopParts }),
    createLoop({ name: 'aggregate', bell: 'due', step: createAggregateStep(parts), ...loopParts }),
    createLoop({ name: 'admit', bell: 'members', step: createAdmitStep(parts), ...loopParts }),
    createLoop({
      name: 'announce',
      bell: 'members',
      step: createAnnounceStep({ ...parts, processedBlock: () => chain.processedBlock() }),
      ...loopParts,
    }),
  ];
  const callChain = createChainCalls(parts);
  const operator = createOperator({
    ...loopParts,
    database,
    types: {
      sharedstorage_upload_batch: createUploadBatch(parts),
      sharedstorage_download_batch: createFetchBatch(parts),
      blockchain_pin_batch: createPinBatch({ ...parts, callChain }),
      blockchain_register_identity: createRegisterIdentity({ callChain }),
      dataexchange_send_batch: createSendEnvelope(parts),
      dataexchange_send_blob: createSendBlob(parts),
      sharedstorage_upload_blob: createUploadBlob(parts),
      sharedstorage_upload_value: createUploadValue(parts),
      sharedstorage_download_blob: createDownloadBlob(parts),
    },
    async lanes() {
      const nodes = await registry.nodes(database);
      return Object.fromEntries([
        [storeLane, maxUploads],
        [fetchLane, maxDownloads],
        ...own.keys.map((each) => [keyLane(each), maxPins]),
        ...nodes.flatMap((node) => [
          [peerLane(node), maxEnvelopes],
          [blobLane(node), maxBlobSends],
        ]),
      ]);
    },
  });
  const chain = createChainReceiver({ ...parts, onForeignChain: onFatal });
  const contacts = new Map<string, string>();
  const receiver: PeerReceiver = {
    receiveEnvelope: createEnvelopeReceiver({
      ...parts,
      // Who brings something can be reached again: what waits for it need not wait longer (S §9.3).
      onPeer(node) {
        contacts.set(node, clock.now());
        operator.revive(peerLane(node));
        operator.revive(blobLane(node));
      },
    }),
    ...createBlobReceiver(parts),
  };
  const delivery = createDelivery({ ...parts, eventLog, onDefect: onFatal });

  const sender = createSender(parts);
  return {
    own,
    ...sender,
    datatypes,
    acceptDatatype: createAcceptDatatype({ ...parts, ...sender }),
    blobs,
    incoming,
    uploader: createUploader(parts),
    publisher: createPublisher(parts),
    removeData: createRemoveData(parts),
    cancelBatch: createCancelBatch(parts),
    retryOperation: createRetryOperation(parts),
    delivery,
    eventLog,
    async start() {
      await markAllDue(database);
      await blobs.sweep();
      await incoming.sweep();
      chain.start();
      operator.start();
      for (const loop of loops) loop.start();
      await dataExchange.listen(receiver);
    },
    async stop() {
      await delivery.stop();
      await chain.stop();
      for (const loop of loops) await loop.stop();
      await operator.stop();
    },
    isIdle: () => loops.every((loop) => loop.isIdle()) && operator.isIdle(),
    away: operator.away,
    lastContact: (node) => contacts.get(node),
    processedBlock: chain.processedBlock,
  };
}
