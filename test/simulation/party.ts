import { createEthersCodec } from '../../src/adapters/contract-codec/ethers.js';
import { createMemoryFiles, type MemoryFiles } from '../../src/adapters/files/memory.js';
import type { MemoryExchange } from '../../src/adapters/data-exchange/memory.js';
import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import { memoryConnectors } from '../support/connectors.js';
import { createSilentMetrics } from '../../src/adapters/metrics/silent.js';
import { createSeededRandom } from '../../src/adapters/random/seeded.js';
import { sha256 } from '../../src/domain/hash.js';
import { type Bus, createBus } from '../../src/pipeline/bus.js';
import { createPipeline, type Pipeline, type WalletPorts } from '../../src/pipeline/pipeline.js';
import { rebuildHistory } from '../../src/pipeline/rebuild/rebuild.js';
import { type Blockchain, ChainError } from '../../src/ports/blockchain.js';
import type { Database } from '../../src/ports/database.js';
import type { SharedStore } from '../../src/ports/shared-store.js';
import type { Webhook } from '../../src/ports/webhook.js';
import type { DatatypeRequest } from '../../src/wire/data/datatype.js';
import type { BroadcastRequest, Message, PrivateRequest } from '../../src/wire/messages/message.js';
import { type Confirming, prepareConfirming } from './confirming.js';
import type { Disk, Storage } from './storage.js';
import { simulateClock } from './time.js';
import { simulateJudge } from './judge-port.js';
import { createLife, type Life, type Simulator } from './life.js';
import { mainNamespace } from './namespaces.js';
import { revertPins } from './pin-reverts.js';
import { simulateExchange, simulateFiles } from './peer-ports.js';
import { type Reachable, simulateChain, simulateDatabase, simulateStore, type Write } from './ports.js';

export interface PartyParts {
  readonly simulator: Simulator;
  readonly name: string;
  readonly key: string;
  readonly ledger: MemoryLedger;
  readonly store: SharedStore;
  readonly storage: Storage;
  readonly namespaces: readonly string[];
  /** Private keys besides the organisation's; undefined if its node cannot have any. */
  readonly wallet: string[] | undefined;
  readonly exchange: MemoryExchange;
  readonly chainReach: Reachable;
  readonly storeReach: Reachable;
  readonly peerReach: Reachable;
  readonly skewMs: () => number;
  readonly onCommit: (writes: readonly Write[]) => void;
  readonly onStart: (party: Party, pipeline: Pipeline, life: Life) => void;
  /** Called after a rebuild has reset its history to the current blocks of the chain. */
  readonly onRebuilt: (party: Party) => void;
  /** Returns the connection of a life to the servers that it calls. */
  readonly webhook: (life: Life) => Webhook;
  /** Called with every envelope that leaves the node. */
  readonly onEnvelope: (envelope: string) => void;
}

/** A request to a node. */
export type SendRequest =
  | { readonly kind: 'broadcast'; readonly request: BroadcastRequest }
  | { readonly kind: 'private'; readonly request: PrivateRequest }
  | { readonly kind: 'datatype'; readonly request: DatatypeRequest };

/** A life that accepts requests. */
export interface Serving {
  readonly life: Life;
  readonly pipeline: Pipeline;
  readonly confirming: () => Confirming;
}

/** An organisation with its node, over all lives of the node. */
export interface Party {
  readonly name: string;
  readonly key: string;
  /** Its database, bypassing all simulated ports, for checks. */
  readonly disk: Disk;
  readonly files: MemoryFiles;
  /** The life that accepts requests now. */
  /** Adds a key to those that its node signs with. */
  addKey(privateKey: string): void;
  life(): Life | undefined;
  serving(): Serving | undefined;
  start(): void;
  /** Kills the node, as SIGKILL does. */
  kill(): void;
  /** Called when the chain has replaced blocks: from now on the node may stop for this reason. */
  disturb(): void;
  /** Whether it knows the current chain; after a reorganisation, once it is rebuilt. */
  isHealed(): boolean;
  /** Ends the node. Its next start rebuilds its history, from this block on or from where the chain has changed. */
  rebuild(from?: number): void;
  /** Kills the node at its n-th port call from now. */
  killAtCall(number: number, isAfterEffect: boolean): void;
  send(request: SendRequest, namespace?: string): Promise<Message>;
  /** Uploads a file with a value; returns the item's id. */
  upload(file: SimulatedFile, namespace?: string): Promise<string>;
}

/** A file to upload, with its value as JSON. */
export interface SimulatedFile {
  readonly content: string;
  readonly value: string;
}

interface Rebuilding {
  readonly life: Life;
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly pipeline: Pipeline;
}

export function createParty(parts: PartyParts): Party {
  const { simulator, name, key, ledger, store, storage, skewMs } = parts;
  const { scheduler, faults, sometimes } = simulator;
  const { random } = scheduler;
  const files = createMemoryFiles();
  const address = { publicKeyHash: publicKeyHashOf(key), endpoint: endpointOf(name) };
  const failedJudgements = new Set<string>();
  let lives = 0;
  /** Number of reorganisations, and of the last one that a rebuild has seen. */
  const reorganisations = { met: 0, healed: 0 };
  /** Number of requested rebuilds, number of the last finished one, and the first block of the next one. */
  const rebuilds: { asked: number; done: number; from?: number | undefined } = { asked: 0, done: 0 };
  let current: Serving | undefined;
  let serving: typeof current;

  function lossyBus(): Bus {
    const bus = createBus();
    return {
      listen: bus.listen,
      ring(...bells) {
        const { bellLost } = faults();
        if (bellLost === 1) sometimes('all bells lost');
        if (bellLost === 0 || random.fraction() >= bellLost) bus.ring(...bells);
      },
    };
  }

  function stopped(life: Life, error: Error): void {
    if (life.isDead) return;
    if (reorganisations.healed < reorganisations.met && error instanceof ChainError && error.reason === 'other_chain') {
      sometimes('node stopped by a reorganisation');
      life.end();
      return;
    }
    scheduler.fail(new Error(`${life.name} stopped: ${error.message}`, { cause: error }));
  }

  function connect(): Blockchain {
    const blockchain = ledger.connect({ keys: [key] });
    for (const privateKey of parts.wallet ?? []) blockchain.addKey(privateKey);
    return revertPins({ simulator, ledger }, blockchain);
  }

  function walletOf(life: Life, wallet: string[]): WalletPorts {
    return {
      createKey: () =>
        life.call('create a key', async () => {
          const privateKey = `${name}-${wallet.length}`;
          wallet.push(privateKey);
          return privateKey;
        }),
      readKeys: () => life.call('read the wallet', async () => wallet),
    };
  }

  async function rebuildFirst({ life, database, blockchain, pipeline }: Rebuilding): Promise<void> {
    const { asked, from } = rebuilds;
    const { met } = reorganisations;
    life.onEnd(() => {
      if (rebuilds.done < asked) sometimes('death during a rebuild');
    });
    // Separate randomness, so that an id drawn by a rebuild does not change the rest of the history.
    const random = createSeededRandom(Number.parseInt(sha256(`${life.name} ${lives}`).slice(0, 8), 16));
    const environment = {
      clock: simulateClock(simulator, life, skewMs),
      random,
      log: createSilentLog(),
      failpoint: { reach: () => Promise.resolve() },
    };
    await rebuildHistory({ database, blockchain, ...environment, firstBlock: 0 }, { from });
    rebuilds.done = asked;
    rebuilds.from = undefined;
    reorganisations.healed = met;
    // Blocks replaced in the meantime need another rebuild, which will be requested.
    if (met === reorganisations.met) parts.onRebuilt(party);
    await pipeline.start();
  }

  const party: Party = {
    name,
    key,
    disk: storage.disk,
    files,
    addKey: (privateKey) => void parts.wallet?.push(privateKey),
    life: () => serving?.life,
    serving: () => serving,
    start() {
      lives += 1;
      const life = createLife(simulator, name, lives);
      const database = simulateDatabase(simulator, life, storage.open(), parts);
      const blockchain = simulateChain(simulator, life, connect, parts.chainReach);
      const bus = lossyBus();
      const clock = simulateClock(simulator, life, skewMs);
      const onFatal = (error: Error): void => stopped(life, error);
      const pipeline = createPipeline({
        database,
        bus,
        blockchain,
        sharedStore: simulateStore(simulator, life, store, parts.storeReach),
        dataExchange: simulateExchange(simulator, life, {
          ...parts.peerReach,
          connect: () => parts.exchange.connect(address),
          onEnvelope: parts.onEnvelope,
        }),
        files: simulateFiles(simulator, life, files),
        webhook: parts.webhook(life),
        codec: createEthersCodec(),
        judge: simulateJudge(simulator, life, failedJudgements),
        connectors: memoryConnectors(),
        clock,
        random: createSeededRandom(random.integer(2 ** 32)),
        log: createSilentLog(),
        metrics: createSilentMetrics(),
        failpoint: { reach: () => Promise.resolve() },
        wallet: parts.wallet && walletOf(life, parts.wallet),
        batching: { paceMs: faults().paceMs },
        organization: name,
        namespaces: parts.namespaces,
        onFatal,
      });
      const confirming = prepareConfirming({ database, bus, pipeline, clock, onDefect: onFatal });
      const mine = { life, pipeline, confirming };
      current = mine;
      life.onEnd(() => {
        if (random.fraction() < 0.3) {
          sometimes('power lost');
          files.crash((_, unsyncedBytes) => random.integer(unsyncedBytes + 1));
        }
        if (current === mine) current = undefined;
        if (serving === mine) serving = undefined;
        scheduler.after(50 + random.integer(2_000), name, 'is started again', party.start);
      });
      const ready =
        rebuilds.asked === rebuilds.done ? pipeline.start() : rebuildFirst({ life, database, blockchain, pipeline });
      ready.then(
        () => {
          if (life.isDead) return;
          serving = mine;
          parts.onStart(party, pipeline, life);
        },
        // A node that fails to start ends and is started again.
        () => life.end(),
      );
    },
    kill: () => current?.life.end(),
    disturb() {
      reorganisations.met += 1;
    },
    isHealed: () => reorganisations.healed === reorganisations.met,
    rebuild(from) {
      rebuilds.asked += 1;
      if (from !== undefined) rebuilds.from = Math.min(rebuilds.from ?? from, from);
      current?.life.end();
    },
    killAtCall: (number, isAfterEffect) => current?.life.endAtCall(number, isAfterEffect),
    async send(sent, namespace = mainNamespace) {
      if (serving === undefined) throw new Error('nobody listens');
      const { pipeline } = serving;
      switch (sent.kind) {
        case 'broadcast':
          return pipeline.acceptMessage(namespace, sent.request);
        case 'private':
          return pipeline.acceptPrivate(namespace, sent.request);
        case 'datatype':
          return (await pipeline.acceptDatatype(namespace, sent.request)).message;
      }
    },
    async upload({ content, value }, namespace = mainNamespace) {
      if (serving === undefined) throw new Error('nobody listens');
      const { incoming, uploader } = serving.pipeline;
      const bytes = new TextEncoder().encode(content);
      const middle = random.integer(bytes.length);
      const staged = await incoming.stage(chunks([bytes.slice(0, middle), bytes.slice(middle)]));
      const fields = new Map([['metadata', value]]);
      const item = await uploader.acceptUpload(namespace, { fields, filename: 'file', mimetype: 'text/plain', staged });
      return item.id;
    },
  };
  return party;
}

async function* chunks(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(part);
}

/** The public key hash as registered; members of a simulation have made-up certificates. */
export function publicKeyHashOf(key: string): string {
  return key.slice(2).padStart(64, 'c');
}

export function endpointOf(organization: string): string {
  return `https://${organization}`;
}
