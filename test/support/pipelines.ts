import { afterEach } from 'vitest';
import { createEthersCodec } from '../../src/adapters/contract-codec/ethers.js';
import { createDirectJudge } from '../../src/adapters/judge/direct.js';
import { createMemoryLedger, type MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import { createManualClock, type ManualClock } from '../../src/adapters/clock/manual.js';
import { createMemoryFiles, type MemoryFiles } from '../../src/adapters/files/memory.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import { createSilentMetrics } from '../../src/adapters/metrics/silent.js';
import { createSeededRandom } from '../../src/adapters/random/seeded.js';
import { createMemoryTargets, type MemoryTargets } from '../../src/adapters/webhook/memory.js';
import { createBus } from '../../src/pipeline/bus.js';
import { createPipeline, type Pipeline } from '../../src/pipeline/pipeline.js';
import type { Database } from '../../src/ports/database.js';
import { textOf } from '../../src/wire/json/json.js';
import type { BroadcastRequest, Message, PrivateRequest } from '../../src/wire/messages/message.js';
import { memoryConnectors } from './connectors.js';
import { createDisk, type DatabaseKind, type Disk } from './disk.js';
import { createFaultyExchange, type FaultyExchange } from './faulty-exchange.js';
import { createFaultyStore, type FaultyStore } from './faulty-store.js';
import { createLife, type Life } from './pipeline-life.js';
import { type RebuildOptions, rebuildOnce } from './pipeline-rebuild.js';
import { checkNetwork, recipientNames, type Sent } from './pipelines-check.js';
import { type Operate, operateAt } from './tokens.js';

export interface PipelinesOptions {
  readonly organizations?: readonly string[];
  /** Organisations whose keys are not registered yet. */
  readonly unregistered?: readonly string[];
  readonly database?: DatabaseKind;
}

/** An organisation with its pipeline, over all lives. */
export interface Party {
  readonly name: string;
  readonly key: string;
  /** A further key that the node holds; not registered. */
  readonly spareKey: string;
  /** The rows; available between lives too. */
  readonly database: () => Database;
  readonly pipeline: () => Pipeline;
  /** Fatal errors of all lives. */
  readonly fatal: Error[];
  readonly files: MemoryFiles;
  /** Returns the count of a database metric over all lives. */
  readonly counted: Disk['counted'];
  /** Broadcasts in namespace `default` and records the message for the check. */
  broadcast(request: BroadcastRequest): Promise<Message>;
  /** Sends to a group in namespace `default` and records the message for the check. */
  send(request: PrivateRequest): Promise<Message>;
  /** Mints, transfers or burns in namespace `default` and records the message for the check. */
  readonly operate: Operate;
  /** Registers the organisation, its key and its node. */
  register(): void;
  /** Ends this life, as SIGKILL does, when it reaches the failpoint for the n-th time. */
  dieAt(failpoint: string, hit?: number): void;
  kill(): void;
  isAlive(): boolean;
  /** Ends this life and starts another on the same rows, optionally with another chain. */
  restart(ledger?: MemoryLedger): Promise<void>;
  /** Ends this life, rebuilds its history, and forgets fatal errors; a restart reads the chain again. */
  rebuild(options?: RebuildOptions): Promise<boolean>;
}

/** Several pipelines on one ledger, store, data exchange and manual clock. */
export interface Pipelines {
  readonly clock: ManualClock;
  readonly ledger: MemoryLedger;
  readonly store: FaultyStore;
  readonly exchange: FaultyExchange;
  /** Servers that webhooks can call. */
  readonly targets: MemoryTargets;
  readonly parties: readonly Party[];
  party(name: string): Party;
  /** Registers and starts a further party. */
  join(name: string): Promise<Party>;
  /** Resolves when no stage has work. Time only passes if a stage waits for it after a failure. */
  settle(): Promise<void>;
  /** Lets time pass in steps, and settles. */
  pass(ms: number): Promise<void>;
  stopChain(): void;
  startChain(): void;
  /** Announces that a party waits at the end, and which of its messages stay undecided. */
  expectWaiting(name: string, ids: readonly string[]): void;
  /** Announces failed sends, pins or token operations of a party. */
  expectFailures(name: string): void;
  /** Announces that a party stops with a fatal error and is behind. */
  expectFatal(name: string): void;
}

/** A request to send one value to a group. */
export function to(members: readonly string[], topics: readonly string[], value: unknown): PrivateRequest {
  return { ...about(topics, value), group: { members: members.map((identity) => ({ identity })) } };
}

/** A request to broadcast one value. */
export function about(topics: readonly string[], value: unknown): BroadcastRequest {
  return { header: { topics: [...topics] }, data: [{ value: textOf(value) }] };
}

const stepMs = 100;
const maxTurnsWithoutTime = 100;

/** Creates networks that are checked and stopped when the test ends. */
export function usePipelines(): (options?: PipelinesOptions) => Promise<Pipelines> {
  const endings: ((hasFailed: boolean) => Promise<void>)[] = [];
  afterEach(async ({ task }) => {
    const hasFailed = task.result?.state === 'fail';
    for (const end of endings.splice(0)) await end(hasFailed);
  });
  return async (options = {}) => {
    const { network, end } = createNetwork(options);
    endings.push(end);
    for (const name of options.organizations ?? ['alice', 'bob', 'carol']) {
      await network.add(name, options.unregistered?.includes(name) !== true);
    }
    await network.settle();
    return network;
  };
}

function createNetwork({ database: kind = 'memory' }: PipelinesOptions) {
  const clock = createManualClock();
  const ledger = createMemoryLedger({ clock });
  const store = createFaultyStore();
  const exchange = createFaultyExchange();
  const targets = createMemoryTargets();
  const parties: Party[] = [];
  const sends: Sent[] = [];
  const waiting = new Map<string, readonly string[]>();
  const [fatal, failing] = [new Set<string>(), new Set<string>()];
  const cleanups: (() => Promise<void>)[] = [];
  let isChainAway = false;

  function isQuiet(): boolean {
    const head = ledger.head();
    return parties.every((party) => {
      if (!party.isAlive() || party.fatal.length > 0) return true;
      const pipeline = party.pipeline();
      return pipeline.isIdle() && (isChainAway || pipeline.processedBlock() >= head);
    });
  }

  async function settle(): Promise<void> {
    for (let turns = 1, quietTurns = 0; quietTurns < 3; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      quietTurns = isQuiet() ? quietTurns + 1 : 0;
      if (quietTurns === 0 && turns % maxTurnsWithoutTime === 0) await clock.advance(stepMs);
    }
  }

  const network = {
    clock,
    ledger,
    store,
    exchange,
    targets,
    parties,
    settle,
    async add(name: string, isRegistered: boolean): Promise<Party> {
      const disk = await createDisk(kind);
      cleanups.push(disk.remove);
      const number = parties.length + 1;
      const onSent = (sent: Sent): void => void sends.push(sent);
      const party = createParty({ name, number, clock, ledger, store, exchange, targets, disk, onSent });
      parties.push(party);
      if (isRegistered) party.register();
      await party.restart();
      return party;
    },
    party(name: string): Party {
      const party = parties.find((each) => each.name === name);
      if (party === undefined) throw new Error(`There is no party ${name}`);
      return party;
    },
    join: (name: string) => network.add(name, true),
    async pass(ms: number): Promise<void> {
      for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
        await clock.advance(stepMs);
        await settle();
      }
    },
    stopChain(): void {
      isChainAway = true;
      ledger.stop();
    },
    startChain(): void {
      isChainAway = false;
      ledger.start();
    },
    expectWaiting: (name: string, ids: readonly string[]) => void waiting.set(name, ids),
    expectFatal: (name: string) => void fatal.add(name),
    expectFailures: (name: string) => void failing.add(name),
  };

  async function end(hasFailed: boolean): Promise<void> {
    try {
      if (!hasFailed) {
        await settle();
        await checkNetwork({ parties, ledger, store, sends, waiting, fatal, failing });
      }
    } finally {
      for (const party of parties) party.kill();
      for (const cleanup of cleanups) await cleanup();
    }
  }
  return { network, end };
}

interface PartyParts {
  readonly name: string;
  readonly number: number;
  readonly clock: ManualClock;
  readonly ledger: MemoryLedger;
  readonly store: FaultyStore;
  readonly exchange: FaultyExchange;
  readonly targets: MemoryTargets;
  readonly disk: Disk;
  readonly onSent: (sent: Sent) => void;
}

function createParty({ name, number, clock, ledger, store, exchange, targets, disk, onSent }: PartyParts): Party {
  const key = `0x${number.toString(16).padStart(40, '0')}`;
  const spareKey = `0x${'5'.repeat(8)}${number.toString(16).padStart(32, '0')}`;
  const peer = { endpoint: `https://${name}`, publicKeyHash: number.toString(16).padStart(64, '0') };
  const fatal: Error[] = [];
  const files = createMemoryFiles();
  let lives = 0;
  let current: { readonly life: Life; readonly database: Database; readonly pipeline: Pipeline } | undefined;

  function now() {
    if (current === undefined) throw new Error(`${name} was never started`);
    return current;
  }

  const party: Party = {
    name,
    key,
    spareKey,
    fatal,
    files,
    counted: disk.counted,
    database: () => now().database,
    pipeline: () => now().pipeline,
    async broadcast(request) {
      const sentMs = clock.monotonicMs();
      const message = await now().pipeline.acceptMessage('default', request);
      onSent({ party: name, sentMs, acceptedMs: clock.monotonicMs(), message, request });
      return message;
    },
    async send(request) {
      const sentMs = clock.monotonicMs();
      const message = await now().pipeline.acceptPrivate('default', request);
      const [acceptedMs, members] = [clock.monotonicMs(), await recipientNames(now().database, message)];
      onSent({ party: name, sentMs, acceptedMs, message, request, members });
      return message;
    },
    operate: (kind, request) => operateAt({ name, clock, onSent, ...now() }, kind, request),
    register() {
      ledger.addMember({ organization: name, key, node: `${name}-node`, ...peer });
    },
    dieAt: (failpoint, hit = 1) => now().life.dieAt(failpoint, hit),
    kill: () => current?.life.kill(),
    isAlive: () => current?.life.isDead() === false,
    async restart(chain = ledger) {
      current?.life.kill();
      const life = createLife();
      const database = await disk.open();
      const pipeline = createPipeline({
        database: life.database(database),
        blockchain: life.blockchain(chain.connect({ keys: [key, spareKey] })),
        sharedStore: life.sharedStore(store),
        dataExchange: life.dataExchange(exchange.connect(peer)),
        files: life.files(files),
        webhook: life.webhook(targets.connect()),
        codec: createEthersCodec(),
        judge: createDirectJudge(),
        connectors: memoryConnectors(),
        clock: life.clock(clock),
        random: createSeededRandom(number * 1_000 + (lives += 1)),
        log: createSilentLog(),
        metrics: createSilentMetrics(),
        failpoint: life.failpoint,
        bus: createBus(),
        organization: name,
        namespaces: ['default', 'svc_system'],
        onFatal: (error) => {
          if (!life.isDead()) fatal.push(error);
        },
      });
      current = { life, database, pipeline };
      await pipeline.start();
    },
    async rebuild(options = {}) {
      current?.life.kill();
      fatal.length = 0;
      return rebuildOnce(await disk.open(), ledger.connect({ keys: [key, spareKey] }), options);
    },
  };
  return party;
}
