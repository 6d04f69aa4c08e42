import { hashOfGroup } from '../../src/domain/group.js';
import { identityId, nodeDid, organizationDid } from '../../src/domain/network/identity.js';
import { maskedPin } from '../../src/domain/messages/pin.js';
import type { PeerReceiver } from '../../src/ports/data-exchange.js';
import { BatchEnvelope } from '../../src/wire/messages/envelope.js';
import type { EnvelopeGroup } from '../../src/wire/messages/group.js';
import { write } from '../../src/wire/json/json.js';
import { drawTopics, type Forged, type Spelling } from './forgery.js';
import { drawTyped } from './hostile-datatypes.js';
import type { HostileMeans, Tricks } from './hostile.js';
import { contextOf } from './oracle.js';
import { endpointOf, publicKeyHashOf } from './party.js';

/** The hostile member's tricks with private pins (docs/protocol.md §8.3). */
export interface HostilePrivate {
  /** Starts its node, which accepts every envelope. */
  start(): void;
  readonly tricks: Tricks;
}

/** Accepts and discards everything. */
const indifferent: PeerReceiver = {
  receiveEnvelope: () => Promise.resolve({ status: 'stored' }),
  offerBlob: () => Promise.resolve({ status: 'stored' }),
  receiveBlob: () => Promise.resolve({ status: 'stored' }),
  receiveRequest: () => Promise.resolve({ status: 'stored' }),
};

const repeatMs = 300;

export function createHostilePrivate(means: HostileMeans): HostilePrivate {
  const { simulator, exchange, oracle, parties, groups, topics, sacrificed, organization, key, forge, pin } = means;
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const end = exchange.connect({ endpoint: endpointOf(organization), publicKeyHash: publicKeyHashOf(key) });
  /** By context: the nonces that it has pinned. */
  const pinned = new Map<string, Set<number>>();

  function drawGroup(): EnvelopeGroup & { readonly hash: string } {
    const names = groups[random.integer(groups.length)] ?? [organization];
    const members = names.map((name) => ({
      identity: organizationDid(name),
      node: identityId(nodeDid(`${name}-node`)),
    }));
    return { namespace: 'default', name: '', members, hash: hashOfGroup('default', '', members) };
  }

  function usedIn(topic: string, group: string): Set<number> {
    const context = contextOf(topic, group);
    const used = pinned.get(context) ?? new Set();
    pinned.set(context, used);
    return used;
  }

  /** Returns the right nonce: the lowest one not pinned yet. */
  function nextIn(topic: string, group: string): number {
    const used = usedIn(topic, group);
    for (let nonce = 0; ; nonce++) if (!used.has(nonce)) return nonce;
  }

  /** Pins a batch with these nonces and sends it to the others, before or after the pin. */
  function launch(
    group: ReturnType<typeof drawGroup>,
    nonces: ReadonlyMap<string, number>,
    { plan, ...spelling }: Spelling & { readonly plan?: 'void' } = {},
  ): void {
    const { hash, ...members } = group;
    const forged = forge({ ...spelling, group: members, topics: [...nonces.keys()], nonces: [...nonces.values()] });
    oracle.learnGroup(
      hash,
      members.members.map(({ identity }) => identity),
    );
    oracle.learnPayload(forged.text);
    for (const [topic, nonce] of nonces) usedIn(topic, hash).add(nonce);
    pin(forged.call, plan);
    const identities = new Set(members.members.map(({ identity }) => identity));
    for (const party of parties) if (identities.has(organizationDid(party.name))) bring(party, forged, members);
  }

  function bring(party: HostileMeans['parties'][number], forged: Forged, group: EnvelopeGroup): void {
    const envelope = write(BatchEnvelope, { version: 1, group, payload: forged.text });
    const peer = { endpoint: endpointOf(party.name), publicKeyHash: publicKeyHashOf(party.key) };
    const again = (): void => void scheduler.after(repeatMs, 'hostile', 'brings a batch again', attempt);
    function attempt(): void {
      end.send(peer, envelope).then(
        ({ status }) => {
          if (status === 'refused') scheduler.fail(new Error(`${party.name} has refused a batch of a member`));
          if (status === 'later') again();
        },
        () => again(),
      );
    }
    scheduler.after(random.integer(random.fraction() < 0.2 ? 10_000 : 500), 'hostile', 'brings a batch', attempt);
  }

  function nextOf(group: string, drawn: readonly string[]): Map<string, number> {
    return new Map(drawn.map((topic) => [topic, nextIn(topic, group)]));
  }

  const tricks: Tricks = {
    inTurn() {
      const group = drawGroup();
      launch(group, nextOf(group.hash, drawTopics(random, topics)));
    },
    /** Rejected if it does not conform to its datatype; its nonce is used up either way. */
    inTurnOfDatatype() {
      const group = drawGroup();
      launch(group, nextOf(group.hash, drawTopics(random, topics)), drawTyped(random));
    },
    reused() {
      const group = drawGroup();
      const drawn = drawTopics(random, topics);
      const nonces = nextOf(group.hash, drawn);
      const [topic = ''] = drawn;
      const [first] = usedIn(topic, group.hash);
      if (first === undefined) return launch(group, nonces);
      sometimes('void for a reused nonce');
      launch(group, nonces.set(topic, first), { plan: 'void' });
    },
    crossed() {
      const group = drawGroup();
      const [one, other] = drawTopics(random, topics);
      if (one === undefined || other === undefined) return;
      const nonces = nextOf(group.hash, [one, other]);
      const [here, there] = [nonces.get(one) ?? 0, nonces.get(other) ?? 0];
      // The nonce must not have been pinned earlier.
      if (usedIn(one, group.hash).has(here + 1) || usedIn(other, group.hash).has(there + 1)) return;
      sometimes('void for a crossed nonce');
      launch(group, new Map([[one, here], [other, there + 1]]), { plan: 'void' }); // prettier-ignore
      // In both topics it follows the pins of the void batch.
      launch(group, new Map([[one, here + 1], [other, there]])); // prettier-ignore
    },
    ahead() {
      const group = drawGroup();
      const [topic = '', other] = drawTopics(random, topics);
      sometimes('void for a nonce ahead of its turn');
      const nonce = nextIn(topic, group.hash) + 1 + random.integer(2);
      if (usedIn(topic, group.hash).has(nonce)) return;
      launch(group, new Map([[topic, nonce]]), { plan: 'void' });
      // A batch that follows it is void as well, because earlier nonces are missing.
      if (other === undefined || usedIn(topic, group.hash).has(nonce + 1)) return;
      const following = new Map([[topic, nonce + 1] as const, [other, nextIn(other, group.hash)] as const]);
      launch(group, following, { plan: 'void' });
    },
    copied() {
      const { hash } = drawGroup();
      const victim = parties[random.integer(parties.length)]?.name ?? '';
      const [topic = ''] = topics;
      const contexts = [0, 1, 2].map((nonce) => maskedPin(topic, hash, organizationDid(victim), nonce));
      pin({ ...forge().call, payloadRef: '', contexts }, 'withheld', []);
    },
    neverBrought() {
      const { hash, ...group } = drawGroup();
      const drawn = drawTopics(random, sacrificed);
      const nonces = drawn.map((topic) => nextIn(topic, hash));
      const { call } = forge({ group, topics: drawn, nonces });
      drawn.forEach((topic, index) => usedIn(topic, hash).add(nonces[index] ?? 0));
      const blocked = drawn.map((topic) => contextOf(topic, hash));
      pin(call, 'withheld', blocked);
    },
  };

  return {
    start() {
      end.admit(new Set(parties.map((party) => publicKeyHashOf(party.key))));
      void end.listen(indifferent);
    },
    tricks,
  };
}
