import { organizationDid } from '../domain/network/identity.js';
import { assert } from '../domain/invariant.js';
import { type Profile, profileRulesOf } from '../domain/network/profile.js';
import type { Blockchain } from '../ports/blockchain.js';
import type { Clock } from '../ports/clock.js';
import type { ContractCodec } from '../ports/contract-codec.js';
import type { Database } from '../ports/database.js';
import type { Failpoint } from '../ports/failpoint.js';
import type { Files } from '../ports/files.js';
import type { Judge } from '../ports/judge.js';
import type { Log } from '../ports/log.js';
import type { Metrics } from '../ports/metrics.js';
import type { Random } from '../ports/random.js';
import type { DataExchange, Peer } from '../ports/data-exchange.js';
import type { SharedStore } from '../ports/shared-store.js';
import type { TokenConnector } from '../ports/token-connector.js';
import type { Webhook } from '../ports/webhook.js';
import { type Acceptance, createAcceptance } from './accept/accept.js';
import type { OwnIdentity } from './state/identities/own-identity.js';
import { createKeyRefresh } from './accept/identities/key-refresh.js';
import { createAdmitStep } from './admit.js';
import { createAnnouncer, type Registration } from './announce.js';
import { createValidate } from './accept/data/validate.js';
import { createCheckWebhook } from './accept/events/webhook.js';
import { createAggregate, markAllDue } from './aggregate/aggregate.js';
import { type Batching, createBatchStage } from './batch/batch.js';
import { sweepBlobs } from './blobs/sweep.js';
import { type Blobs, createBlobs } from './blobs/blobs.js';
import type { Bus } from './bus.js';
import { createIntegrity, type Integrity } from './records/integrity.js';
import { createDelivery } from './deliver/deliver.js';
import type { Delivery } from './deliver/delivery.js';
import { createEventLog, type EventLog } from './deliver/events/event-log.js';
import type { MaySign } from './deliver/webhooks/reply.js';
import { createWebhooks, type Webhooks } from './deliver/webhooks/webhooks.js';
import { createFlushes, type Flushes } from './batch/flushes.js';
import { createIncoming, type Incoming, type IncomingLimits } from './blobs/incoming.js';
import type { ServiceAway } from './operations/lane.js';
import { createLoop } from './loop.js';
import type { Operator } from './operations/operate.js';
import { createOutside } from './outside.js';
import { createRegistry } from './state/identities/registry.js';
import { createRulebook, type Rulebook } from './state/rulebook.js';
import { createChainReceiver } from './receive/chain/chain.js';
import { createJudging } from './judging/judging.js';
import { createKnownAnswers } from './judging/known.js';
import { createJudgeRequest, type JudgeRequest } from './judging/requests.js';
import { createJoin } from './receive/chain/join.js';
import { createListenerApplier } from './receive/contracts/listener.js';
import { createListenerJoinStep } from './receive/contracts/listener-join.js';
import { createNonceGaps } from './receive/messages/nonces.js';
import { createReceiver, type ReceiverParts } from './receive/receiver.js';
import { createSources } from './receive/chain/sources.js';
import { createTokenApplier } from './receive/tokens/token.js';
import { createThrottle } from './throttle.js';

export interface PipelinePorts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly sharedStore: SharedStore;
  readonly dataExchange: DataExchange;
  /** This node's files: blobs and partial transfers. */
  readonly files: Files;
  readonly webhook: Webhook;
  readonly codec: ContractCodec;
  readonly judge: Judge;
  readonly connectors: ReadonlyMap<string, TokenConnector>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
}

/** Support for further keys; without it, keys can be neither created nor added while the node runs. */
export interface WalletPorts {
  /** Creates and stores a private key for a custom identity. */
  readonly createKey?: (() => Promise<string>) | undefined;
  /** Returns private keys added since start or the last call; unreadable ones are left out. */
  readonly readKeys?: (() => Promise<readonly string[]>) | undefined;
  /** Whether the organisation funds keys without balance; only on the stack's own chain. */
  readonly fundsKeys?: boolean | undefined;
}

export interface PipelineOptions extends PipelinePorts {
  readonly bus: Bus;
  /** Name of this node's organisation; it signs with the blockchain's first key. */
  readonly organization: string;
  /** The profile recorded with the network; the node stops if the network has another. */
  readonly profile?: Profile | undefined;
  /** Namespaces of this node, including the system's. */
  readonly namespaces: readonly string[];
  /**
   * Whether messages are checked against their hashes before events embed them, because another program may have
   * changed stored data.
   */
  readonly checksEvents?: boolean | undefined;
  readonly blobLimits?: (Partial<IncomingLimits> & Pick<ReceiverParts, 'maxUnpinnedBytes'>) | undefined;
  /** By default batches are filled up to the network's limits and none is delayed. */
  readonly batching?: Batching | undefined;
  /** This node as peers should know it; the registry is updated if it differs. */
  readonly peer?: Peer | undefined;
  readonly wallet?: WalletPorts | undefined;
  /** By default everything may be signed. */
  readonly maySign?: MaySign | undefined;
  /** Called on an unrecoverable error, such as a broken invariant or another chain; the node must stop. */
  readonly onFatal: (error: Error) => void;
}

export interface Pipeline extends Acceptance {
  readonly own: OwnIdentity;
  readonly rulebook: Rulebook;
  readonly judgeRequest: JudgeRequest;
  readonly blobs: Blobs;
  readonly incoming: Incoming;
  readonly delivery: Delivery;
  readonly eventLog: EventLog;
  readonly integrity: Integrity;
  readonly webhooks: Pick<Webhooks, 'statusOf'>;
  start(): Promise<void>;
  /** Stops every loop after its step; work in progress continues after the next start. */
  stop(): Promise<void>;
  /** Whether no stage has work. */
  isIdle(): boolean;
  away(): readonly ServiceAway[];
  readonly attemptsOf: Operator['attemptsOf'];
  readonly flushes: Pick<Flushes, 'averageOf'>;
  lastContact(node: string): string | undefined;
  processedBlock(): number;
  registration(): Registration;
  /** Whether the chain has been verified to be the one that the rows belong to. */
  isFollowing(): boolean;
}

/** Creates the stages and connects them; they share only rows and bells. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { database, dataExchange, bus, clock, log, onFatal } = options;
  const parts = sharedParts(options);
  const { own, blobs, incoming, rulebook, judgeRequest, judging, sources, throttle, tokens, listeners, join } = parts;
  const integrity = createIntegrity({ log });
  const eventLog = createEventLog(database, options.checksEvents === true ? integrity.damageOfText : undefined);

  const flushes = createFlushes();
  const batch = createBatchStage({ ...parts, batching: options.batching, onSealed: flushes.add });
  const listenerJoinStep = createListenerJoinStep({ database, join, sources, listeners });
  const announcer = createAnnouncer({ ...parts, processedBlock: () => chain.processedBlock() });
  const aggregate = createAggregate(parts);
  const loopParts = { bus, clock, log, onDefect: onFatal };
  const loops = [
    createLoop({ name: 'batch', bell: 'messages', step: batch.step, ...loopParts }),
    createLoop({ name: 'aggregate', bell: 'due', step: aggregate.step, ...loopParts }),
    createLoop({ name: 'remainders', bell: 'remainders', step: aggregate.remainderStep, ...loopParts }),
    createLoop({ name: 'judge', bell: 'judgements', step: judging.step, ...loopParts }),
    createLoop({ name: 'admit', bell: 'members', step: createAdmitStep(parts), ...loopParts }),
    createLoop({ name: 'listen', bell: 'listeners', step: listenerJoinStep, ...loopParts }),
    createLoop({ name: 'announce', bell: 'members', step: announcer.step, ...loopParts }),
  ];
  const acceptance = createAcceptance({ ...parts, sealer: batch.sealer });
  const processedBlock = (): number => chain.processedBlock();
  const operator = createOutside({ ...parts, ...acceptance, decider: aggregate, processedBlock, onDefect: onFatal });
  const reading = { ...parts, decider: aggregate, appliers: [tokens, listeners] };
  const chain = createChainReceiver({ ...reading, onForeignChain: onFatal });
  const { receiver, lastContact } = createReceiver({ ...parts, operator });
  const delivery = createDelivery({ ...parts, eventLog, onDefect: onFatal });
  const { maySign = () => true } = options;
  const webhooks = createWebhooks({ ...parts, maySign, integrity, delivery, sender: acceptance, onDefect: onFatal });

  return {
    own,
    integrity,
    ...acceptance,
    rulebook,
    judgeRequest,
    blobs,
    incoming,
    delivery,
    eventLog,
    webhooks,
    async start() {
      await judging.load();
      await markAllDue(database);
      await sweepBlobs(options);
      chain.start();
      operator.start();
      for (const loop of loops) loop.start();
      webhooks.start();
      await dataExchange.listen(receiver);
    },
    async stop() {
      await webhooks.stop();
      await delivery.stop();
      await chain.stop();
      throttle.stop();
      for (const loop of loops) await loop.stop();
      await judging.release();
      await operator.stop();
    },
    isIdle: () => loops.every((loop) => loop.isIdle()) && operator.isIdle() && webhooks.isIdle(),
    away: operator.away,
    attemptsOf: operator.attemptsOf,
    flushes,
    lastContact,
    processedBlock: chain.processedBlock,
    registration: announcer.registration,
    isFollowing: chain.isFollowing,
  };
}

function sharedParts(options: PipelineOptions) {
  const { database } = options;
  const blobs = createBlobs(options);
  const judgeRequest = createJudgeRequest(options.judge);
  const rulebook = createRulebook(options.clock, options.profile);
  const sources = createSources(database);
  return {
    ...options,
    ...options.wallet,
    profileRules: profileRulesOf(options.profile),
    own: ownIdentity(options),
    registry: createRegistry(),
    nonceGaps: createNonceGaps(),
    rulebook,
    blobs,
    maxUnpinnedBytes: options.blobLimits?.maxUnpinnedBytes,
    incoming: createIncoming({ ...options, blobs, limits: options.blobLimits }),
    known: createKnownAnswers(),
    judging: createJudging(options),
    judgeRequest,
    validate: createValidate({ database, judgeRequest, rulebook }),
    checkWebhook: createCheckWebhook(options),
    sources,
    throttle: createThrottle(options.clock),
    tokens: createTokenApplier(options),
    listeners: createListenerApplier(options),
    join: createJoin({ ...options, sources }),
  };
}

function ownIdentity({ organization, blockchain, wallet, profile }: PipelineOptions): OwnIdentity {
  const [key] = blockchain.keys;
  assert(key !== undefined, 'a node has a signing key');
  return {
    organization,
    did: organizationDid(organization, profileRulesOf(profile).didMethod),
    key,
    // A getter, because keys of custom identities are added while the node runs.
    get keys() {
      return blockchain.keys;
    },
    refreshKeys: wallet?.readKeys && createKeyRefresh(wallet.readKeys, (privateKey) => blockchain.addKey(privateKey)),
  };
}
