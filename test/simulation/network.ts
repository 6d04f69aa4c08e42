import { createMemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import { createMemoryExchange } from '../../src/adapters/data-exchange/memory.js';
import { createMemoryTargets } from '../../src/adapters/webhook/memory.js';
import { createMemoryStore } from '../../src/adapters/shared-store/memory.js';
import { systemNamespace } from '../../src/domain/network/identity.js';
import { type Application, createApplication } from './application.js';
import { createChainReader } from './chain-reader.js';
import { createClient } from './client.js';
import { type Consumer, createConsumer } from './consumer.js';
import { createContractors } from './contractors.js';
import { createDeleter } from './deleter.js';
import type { Faults } from './faults.js';
import { createHook, type Hook } from './hook.js';
import { createHostile } from './hostile.js';
import { learn, learningStore } from './learning.js';
import { createLife, type Simulator } from './life.js';
import { createListening, listeningWishes } from './listening.js';
import { createMeters } from './meters.js';
import { createOracle } from './oracle.js';
import { createListenerOracle } from './oracle-listeners.js';
import { namespacesOf } from './namespaces.js';
import { createOverlaps } from './overlaps.js';
import { createParty, endpointOf, type Party, publicKeyHashOf } from './party.js';
import { checkPublic } from './privacy.js';
import { planRebuilds } from './rebuilder.js';
import { reorganise } from './reorganisation.js';
import { simulateClock } from './time.js';
import { createRegistrants } from './registrants.js';
import { resumeAfter } from './resume.js';
import { createTraders } from './traders.js';
import { planTroubles } from './troubles.js';
import { createShadow, InvariantViolation, type Shadow } from './shadow.js';
import type { Storage } from './storage.js';
import { createWaiters } from './waiters.js';

const organizations = ['alice', 'bob', 'carol', 'dave', 'erin'];
const hostileName = 'mallory';
const dayMs = 86_400_000;

/** Makes a network of parties and its environment, with these faults. It is idle until it is started. */
export function createNetwork(simulator: Simulator, drawn: Faults, createStorage: () => Storage) {
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const outside = createLife(simulator, 'ledger', 1);
  const ledger = createMemoryLedger({
    clock: simulateClock(simulator, outside, () => 0),
    newContracts: createMeters,
  });
  const listeners = drawn.listeners === 0 ? undefined : createListenerOracle({ simulator, ledger });
  const namespaces = namespacesOf(drawn.hasOverlaps);
  const userNamespaces = namespaces.filter((namespace) => namespace !== systemNamespace);
  const oracle = createOracle({
    sometimes,
    namespaces,
    hostileKey: addressOf(0xbad),
    mayRepeat: drawn.pinReverted > 0 && drawn.reorganisations > 0,
    contractLogs: ledger.contractLogs,
    onViolation: (invariant, sentence) => scheduler.fail(new InvariantViolation(invariant, sentence)),
  });
  const reader = createChainReader({ simulator, ledger, oracle });
  const exchange = createMemoryExchange();
  const store = learningStore(createMemoryStore(), (text) => {
    checkPublic('the shared store', text);
    oracle.learnPayload(text);
  });
  const count = 2 + random.integer(random.fraction() < 0.2 ? 4 : 2);
  const names = organizations.slice(0, count);
  const topics = Array.from({ length: 1 + random.integer(4) }, (_, index) => `topic-${index}`);
  const sacrificed = ['lost-0', 'lost-1'];
  const shadows: Shadow[] = [];
  const consumers: Consumer[] = [];
  const applications: Application[] = [];
  const hooks: Hook[] = [];
  const parties: Party[] = [];
  const cutOff = new Set<string>();
  let isChainAway = false;
  let isStoreAway = false;

  names.forEach((name, index) => {
    const shadow = createShadow(name, simulator, oracle);
    shadows.push(shadow);
    const mine: Application[] = [];
    const storage = createStorage();
    const hook = drawn.hasWebhooks ? createHook({ simulator, owner: name, disk: storage.disk }) : undefined;
    if (hook !== undefined) hooks.push(hook);
    const targets = createMemoryTargets();
    let skewMs = random.integer(1_000);
    if (drawn.clockJumps > 0) skewMs += random.integer(2 * dayMs) - dayMs;
    parties.push(
      createParty({
        simulator,
        name,
        key: addressOf(index + 1),
        ledger,
        store,
        storage,
        namespaces,
        wallet: drawn.identities > 0 ? [] : undefined,
        chainReach: { isAway: () => isChainAway },
        storeReach: { isAway: () => isStoreAway },
        skewMs: () => skewMs,
        exchange,
        peerReach: { isAway: () => cutOff.has(name) },
        onEnvelope: () => undefined,
        webhook: (life) => hook?.port(life) ?? targets.connect(),
        onRebuilt: (party) =>
          resumeAfter({ simulator, party, shadow, consumers: hook === undefined ? mine : [...mine, hook] }),
        onCommit(writes) {
          learn(oracle, name, writes);
          shadow.onCommit(writes);
          for (const application of mine) application.onCommit(writes);
          hook?.onCommit(writes);
          listeners?.onCommit(name, writes);
        },
        onStart(_, pipeline, life) {
          life.onEnd(() => listeners?.died(name));
          const isHere = shadow.decidedCount() >= 0;
          if (random.fraction() < 0.5 && isHere) consumers.push(createConsumer(simulator, life, pipeline, shadow));
        },
      }),
    );
    for (const party of parties.slice(-1)) {
      const names =
        random.fraction() < 0.5 ? [] : random.fraction() < 0.8 ? [`${name}-app`] : [`${name}-app`, `${name}-robot`];
      for (const namespace of userNamespaces) {
        mine.push(
          ...names.map((each) =>
            createApplication({ simulator, party, namespace, name: each, isFickle: drawn.hasOverlaps }),
          ),
        );
      }
      if (listeners === undefined) continue;
      mine.push(createApplication({ simulator, party, name: `${name}-ear`, wishes: listeningWishes }));
    }
    applications.push(...mine);
    if (drawn.clockJumps === 0) return;
    for (let jump = 0; jump < drawn.clockJumps; jump++) {
      scheduler.after(random.fraction() * 20_000, name, 'clock jumps', () => {
        sometimes('clock jumped');
        skewMs += random.integer(2 * dayMs) - dayMs;
      });
    }
  });

  function register(name: string, key: string): void {
    const member = { organization: name, key, node: `${name}-node`, endpoint: endpointOf(name) };
    ledger.addMember({ ...member, publicKeyHash: publicKeyHashOf(key) });
  }

  /** Draws a group of the hostile member and some others. */
  function drawHostileGroup(): readonly string[] {
    return [hostileName, ...names.filter((_, index) => index === 0 || random.fraction() < 0.6)];
  }

  function outage(actor: string, spanMs: number, set: (isAway: boolean) => void): void {
    scheduler.after(random.fraction() * spanMs, actor, 'goes away', () => {
      sometimes(actor === 'chain' ? 'chain away' : 'store away');
      set(true);
      scheduler.after(random.fraction() * 15_000, actor, 'comes back', () => set(false));
    });
  }

  const hostileGroups = drawn.hostilePins === 0 ? [] : [drawHostileGroup(), drawHostileGroup()];
  const hostile = createHostile({
    simulator,
    ledger,
    store,
    exchange,
    oracle,
    parties,
    groups: hostileGroups,
    topics,
    sacrificed,
    organization: hostileName,
    key: addressOf(0xbad),
  });
  const mayBlock = drawn.hostilePins > 0 && random.fraction() < 0.3;
  const isReplaced = drawn.reorganisations > 0 || drawn.rebuilds > 0;
  const deleter = createDeleter({
    simulator,
    parties,
    deletions: drawn.deletions,
    spanMs: 12_000,
    keepsFiles: isReplaced,
  });
  const { contracts: definitions, hasLocalRecords } = drawn;
  const contractors = createContractors({ simulator, parties, definitions, hasLocalRecords, spanMs: 12_000 });
  const registrants = createRegistrants({
    simulator,
    parties,
    topics,
    oracle,
    requests: drawn.identities,
    spanMs: 12_000,
  });
  const listening =
    listeners &&
    createListening({ simulator, parties, ledger, oracle: listeners, listeners: drawn.listeners, spanMs: 12_000 });
  const { tokens: operations, hasOverlaps, bellLost } = drawn;
  const waiters = hasOverlaps
    ? createWaiters({ simulator, losesBells: bellLost > 0, isReorganised: drawn.reorganisations > 0 })
    : undefined;
  const client = createClient({
    simulator,
    parties,
    topics: mayBlock ? [...topics, ...sacrificed] : topics,
    hostileGroups,
    namespaces: userNamespaces,
    oracle,
    hasAskedToDelete: deleter.hasAsked,
    waiters,
    messages: 3 + random.integer(21),
    spanMs: 200 + random.integer(8_000),
  });

  function replaceBlocks(): void {
    const onRewind = (): void => {
      reader.restart();
      for (const shadow of shadows) shadow.suspend();
      consumers.length = 0;
      for (const party of parties) {
        party.disturb();
        scheduler.after(random.fraction() * 6_000, party.name, 'is to be rebuilt', () => party.rebuild());
      }
    };
    reorganise({ simulator, ledger, plannedKey: addressOf(0xbad), onRewind });
  }

  const trading = { simulator, parties, topics, operations, hasLocalRecords, hasOverlaps, waiters, spanMs: 8_000 };
  const traders = operations === 0 ? [] : userNamespaces.map((namespace) => createTraders({ ...trading, namespace }));
  const sharing = { simulator, parties, topics, namespaces: userNamespaces, hasAskedToDelete: deleter.hasAsked };
  const overlaps = waiters && createOverlaps({ ...sharing, oracle, waiters });

  return {
    ledger,
    sometimes,
    isReplaced,
    traders,
    deleter,
    contractors,
    registrants,
    sends: () => [...client.sends(), ...registrants.sends(), ...(overlaps?.sends() ?? [])],
    listening,
    overlaps,
    parties,
    shadows,
    consumers,
    applications,
    hooks,
    client,
    oracle,
    isKnown: (party: string, id: string) =>
      reader.hasRead(party, id) ||
      [...oracle.unpinned().values()].some((message) => message.id === id && message.organization === party),
    start(spanMs: number): void {
      reader.start();
      parties.forEach((party, index) => {
        const isLate = drawn.hasLateJoiner && index === parties.length - 1;
        const registeredMs = isLate ? random.fraction() * spanMs : 0;
        if (isLate) scheduler.after(registeredMs, party.name, 'is registered', () => register(party.name, party.key));
        else register(party.name, party.key);
        scheduler.after((isLate ? 2 : 0.05) * random.fraction() * spanMs, party.name, 'is started', party.start);
        planTroubles({ simulator, party, drawn, cutOff, spanMs });
      });
      for (const application of applications) application.start(spanMs);
      for (const [index, party] of parties.entries()) hooks[index]?.start(party, spanMs);
      if (drawn.hostilePins > 0) {
        register(hostileName, addressOf(0xbad));
        hostile.start();
      }
      for (let act = 0; act < drawn.hostilePins; act++) {
        scheduler.after(random.fraction() * spanMs, 'hostile', 'acts', hostile.act);
      }
      for (let time = 0; time < drawn.reorganisations; time++) {
        scheduler.after(random.fraction() * spanMs, 'chain', 'is to replace blocks', replaceBlocks);
      }
      const rebuilding = { simulator, ledger, parties, shadows, consumers, deleter };
      planRebuilds({ ...rebuilding, rebuilds: drawn.rebuilds, spanMs: 2 * spanMs });
      for (let time = 0; time < drawn.chainOutages; time++) outage('chain', spanMs, (isAway) => (isChainAway = isAway));
      for (let time = 0; time < drawn.storeOutages; time++) outage('store', spanMs, (isAway) => (isStoreAway = isAway));
    },
    heal(): void {
      isChainAway = false;
      isStoreAway = false;
      cutOff.clear();
      for (const party of parties) party.killAtCall(0, false);
      for (const application of applications) application.heal();
      for (const hook of hooks) hook.heal();
    },
  };
}

function addressOf(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`;
}
