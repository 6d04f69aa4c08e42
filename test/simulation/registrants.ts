import type { SendRecord } from '../../src/bench/check/recording.js';
import { sha256 } from '../../src/bench/check/facts/facts.js';
import type { Pipeline } from '../../src/pipeline/pipeline.js';
import { isServiceError, type ErrorName } from '../../src/wire/errors/error.js';
import type { IdentityRequest } from '../../src/wire/identities/identity.js';
import { textOf } from '../../src/wire/json/json.js';
import { type Insistence, insist } from './insist.js';
import type { Simulator } from './life.js';
import { type Oracle, organizationOf } from './oracle.js';
import type { Party } from './party.js';
import { InvariantViolation } from './shadow.js';

export interface RegistrantParts {
  readonly simulator: Simulator;
  readonly parties: readonly Party[];
  readonly topics: readonly string[];
  readonly oracle: Oracle;
  /** Number of registrations, changes of profiles and messages. */
  readonly requests: number;
  readonly spanMs: number;
}

/** A registration that a node has accepted. */
export interface Claim {
  readonly party: string;
  readonly operation: string;
  readonly name: string;
}

/** Users who register identities under few names and with keys that others also hold, and who send as them. */
export interface Registrants {
  start(): void;
  /** Whether every request has its answer or will never get one. */
  isDone(): boolean;
  claims(): readonly Claim[];
  sends(): readonly SendRecord[];
}

/** Names for which members compete. */
export const identityNames = ['desk', 'fleet', 'vault'] as const;
/** Keys that several nodes hold, because someone has copied them. */
export const copiedKeys = ['copied-0', 'copied-1'] as const;

/** Attempts with an identity that the node does not know; it may never be registered. */
const maxTries = 6;
const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Whether an error is one of these refusals. */
function isOneOf(error: unknown, names: readonly ErrorName[]): boolean {
  return names.some((name) => isServiceError(error, name));
}

export function createRegistrants(parts: RegistrantParts): Registrants {
  const { simulator, parties, topics, oracle, requests, spanMs } = parts;
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const claims: Claim[] = [];
  const sends: SendRecord[] = [];
  let left = requests;

  function pick<T>(choices: readonly T[]): T {
    const choice = choices[random.integer(choices.length)];
    if (choice === undefined) throw new Error('there is nothing to choose from');
    return choice;
  }

  function chance(rate: number): boolean {
    return random.fraction() < rate;
  }

  function ask(party: Party, what: string, act: Insistence['act'], isFinal: (error: unknown) => boolean): void {
    const done = (): void => void (left -= 1);
    insist({ simulator, party, actor: party.name, what, act, isFinal, done });
  }

  function drawProfile() {
    const text = chance(0.2) ? '' : `number ${random.integer(100)}`;
    const description = chance(0.7) ? { description: text } : {};
    return chance(0.6) ? { ...description, profile: textOf({ rank: random.integer(100) }) } : description;
  }

  function drawClaim(number: number, party: Party): (pipeline: Pipeline) => IdentityRequest {
    const isOrganization = chance(0.2);
    const parent = chance(0.1) ? pick(parties).name : isOrganization || chance(0.2) ? party.name : undefined;
    const request = {
      name: pick(identityNames),
      ...(isOrganization && { type: 'org' }),
      ...(parent !== undefined && { parent }),
      ...(chance(0.5) && drawProfile()),
      idempotencyKey: `identity-${number}`,
    };
    const place = chance(0.5) ? random.integer(4) : undefined;
    // The organisation's own key is among the keys of the node.
    return ({ own: { keys } }) => {
      const key = place === undefined ? undefined : keys[place];
      return key === undefined ? request : { ...request, key };
    };
  }

  /** Does what a node does for a FireFly client: a claim that cannot succeed is sent, and is rejected. */
  function claim(number: number, party: Party): void {
    const requestOf = drawClaim(number, party);
    const act = async (pipeline: Pipeline): Promise<void> => {
      const request = requestOf(pipeline);
      try {
        const { operation } = await pipeline.acceptIdentity('default', request);
        claims.push({ party: party.name, operation, name: request.name });
      } catch (error) {
        if (!isServiceError(error, 'name_taken')) throw error;
        sometimes('name or key refused as taken');
        await pipeline.acceptTakenClaim('default', request);
      }
    };
    ask(party, 'registers an identity', act, (error) => {
      if (isServiceError(error, 'parent_not_own')) sometimes('parent of another member refused');
      if (isServiceError(error, 'not_registered')) sometimes('registration before its member');
      return isOneOf(error, ['not_own', 'parent_not_own', 'transaction_key_used', 'idempotency_key_used']);
    });
  }

  /** Changes the profile of an identity; a node does so only for its own member. */
  function change(_: number, party: Party): void {
    const [name, profile] = [pick([party.name, ...identityNames, ...identityNames]), drawProfile()];
    const act = async (pipeline: Pipeline): Promise<void> => {
      const identity = await party.disk.first('identities', { name });
      if (identity !== undefined) await pipeline.acceptIdentityChange('default', identity, profile);
    };
    ask(party, 'changes a profile', act, (error) => isOneOf(error, ['not_own', 'field_required']));
  }

  /** Names an author by its name or DID, or by one of the node's keys. */
  function drawAuthor(): (pipeline: Pipeline) => { readonly author: string } | { readonly key: string } {
    const name = pick(identityNames);
    const author = pick([name, `did:parley:${name}`, `did:parley:org/${name}`, `did:firefly:${name}`]);
    const place = chance(0.4) ? random.integer(4) : undefined;
    return ({ own: { keys } }) => {
      const key = place === undefined ? undefined : keys[place];
      return key === undefined ? { author } : { key };
    };
  }

  function didOf(author: { readonly author: string } | { readonly key: string }): string | undefined {
    const registered = oracle.identities().registered();
    if ('key' in author) return registered.find(({ key }) => key === author.key)?.did;
    const last = author.author.replace(/^.*[:/]/, '');
    return registered.find(({ name }) => name === last)?.did;
  }

  /** Draws some identities, none of them the hostile member's. */
  function drawGroup() {
    const drawn = oracle.identities().registered();
    const own = drawn.filter(({ did, type }) => type !== 'node' && isOfParty(oracle.identities().memberOf(did)));
    const members = own.filter(() => chance(0.3));
    if (members.some(({ type }) => type === 'custom')) sometimes('custom identity as a member of a group');
    return members.map(({ did, name }) => ({ did, identity: chance(0.5) ? did : name }));
  }

  function isOfParty(name: string): boolean {
    return parties.some((party) => party.name === name);
  }

  function speak(number: number, party: Party): void {
    const authorOf = drawAuthor();
    const labels = { topics: [pick(topics)], tag: `spoken-${number}` };
    const value = textOf({ spoken: number, by: party.name });
    const group = chance(0.4) ? { members: drawGroup() } : undefined;
    const txtype = group !== undefined && chance(0.4) ? { txtype: 'none' } : {};
    const members = group && [party.name, ...group.members.map(({ did }) => oracle.identities().memberOf(did))];
    const audience = members && { members: [...new Set(members)] };
    const sentMs = scheduler.nowMs();
    const record = (author: string, id: string): void => {
      checkAuthor(party, author);
      const sent = { party: organizationOf(author), ...audience, ...labels, valueHashes: [sha256(value)] };
      sends.push({ ...sent, sentMs, acceptedMs: scheduler.nowMs(), id });
    };
    let tries = 0;
    let author: string | undefined;
    const act = async (pipeline: Pipeline): Promise<void> => {
      const named = authorOf(pipeline);
      author = didOf(named);
      const request = { header: { ...labels, ...named, ...txtype }, data: [{ value }], idempotencyKey: labels.tag };
      const { header } =
        group === undefined
          ? await pipeline.acceptMessage('default', request)
          : await pipeline.acceptPrivate('default', {
              ...request,
              group: { members: group.members.map(({ identity }) => ({ identity })) },
            });
      record(header.author, header.id);
    };
    ask(party, 'speaks as an identity', act, (error) => {
      const first = isServiceError(error, 'idempotency_key_used') ? uuidPattern.exec(error.message)?.[0] : undefined;
      if (first !== undefined && author !== undefined) record(author, first);
      if (first !== undefined) return true;
      if (isServiceError(error, 'author_refused')) noteRefusal(party, author);
      tries += isOneOf(error, ['author_refused', 'identity_unknown', 'identity_without_node']) ? 1 : 0;
      return tries >= maxTries;
    });
  }

  function noteRefusal(party: Party, author: string | undefined): void {
    if (author === undefined) sometimes('message before its author is known');
    else if (oracle.identities().memberOf(author) !== party.name) {
      sometimes('message for an identity of another member refused');
    }
  }

  /** I10: a node sends only as identities of its member. */
  function checkAuthor(party: Party, author: string): void {
    if (oracle.identities().memberOf(author) === party.name) return;
    scheduler.fail(new InvariantViolation('I10', `${party.name} has taken a message of ${author}, who is not its own`));
  }

  return {
    start() {
      if (requests === 0) return;
      for (const party of parties) {
        for (const key of copiedKeys) {
          const copies = (): void => {
            party.addKey(key);
          };
          if (chance(0.7)) scheduler.after(random.fraction() * spanMs * 0.3, party.name, 'copies a key', copies);
        }
      }
      for (let number = 0; number < requests; number++) {
        const [party, act] = [pick(parties), number % 3 === 0 ? claim : pick([claim, change, change, speak, speak])];
        scheduler.after(random.fraction() * spanMs, party.name, 'asks about an identity', () => act(number, party));
      }
    },
    isDone: () => left === 0,
    claims: () => claims,
    sends: () => sends,
  };
}
