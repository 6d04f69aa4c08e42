import { textOf } from '../../src/wire/json/json.js';
import { createForgery, type Forged } from './forgery.js';
import type { HostileMeans, Tricks } from './hostile.js';
import type { Registered } from './oracle-identities.js';
import { copiedKeys, identityNames } from './registrants.js';

/** The hostile member's tricks with identities; the oracle judges them by keys and positions. */
export function createHostileIdentities(means: HostileMeans): Tricks {
  const { simulator, ledger, store, oracle, parties, topics, organization, key, forge, publishAndPin } = means;
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const ownKeys = [1, 2, 3].map((number) => `0x${'b'.repeat(39)}${number}`);
  const someChain = ledger.connect({ keys: [] });
  const others = copiedKeys.map((copied) => someChain.addKey(copied));

  const pick = <T>(choices: readonly T[]): T | undefined => choices[random.integer(choices.length)];
  const name = (): string => pick(identityNames) ?? 'desk';
  const registered = (): readonly Registered[] => oracle.identities().registered();
  const isOwn = ({ did }: Registered): boolean => oracle.identities().memberOf(did) === organization;

  /** Registers a key; the contract does not require the consent of its holder. */
  function register(sender: string, added: string, isOrganization: boolean): void {
    const call = { type: 'add_key', name: name(), key: added, ...(isOrganization && { isOrganization }) } as const;
    const { status } = ledger.call(sender, call);
    if (sender !== key && status === 'reverted') sometimes('registration by a key of no member');
  }

  function forgeAs(author: string, signer: string): Forged {
    return createForgery({ simulator, topics, organization, key: signer }).forge({ author });
  }

  /** Pins a batch with one of its keys. Returns whether the contract accepted it. */
  function pinAs(signer: string, { text, call }: Forged): boolean {
    oracle.learnPayload(text);
    void store.put(new TextEncoder().encode(text));
    return ledger.call(signer, call).status === 'success';
  }

  function define(tag: string, record: object, { namespace = 'default', id = random.uuid() } = {}): void {
    const header = { namespace: 'svc_system', topics: [`svc_ns_${namespace}`], tag, id };
    publishAndPin(forge({ ...header, type: 'definition', value: textOf(record) }));
  }

  const update = (did: string, more: object = { description: `by ${organization}` }): void =>
    define('svc_identity_update', { did, namespace: 'default', ...more });
  const someDid = (isMeant: (identity: Registered) => boolean): string =>
    pick(registered().filter(isMeant))?.did ?? `did:parley:${name()}`;

  return {
    registers: () => register(key, pick(ownKeys) ?? key, random.fraction() < 0.3),
    registersTheKeyOfAnother() {
      // The operator does not add a member whose key is taken.
      const members = parties.filter((party) => registered().some((each) => each.key === party.key));
      register(key, pick([...others, ...members.map((party) => party.key)]) ?? key, false);
    },
    registersBelowItsIdentity: () => register(pick(ownKeys) ?? key, `0x${'d'.repeat(40)}`, false),
    speaks() {
      const own = pick(registered().filter((each) => isOwn(each) && ownKeys.includes(each.key ?? '')));
      if (own?.key != null) pinAs(own.key, forgeAs(own.did, own.key));
    },
    speaksTooEarly() {
      const signer = pick(ownKeys.filter((own) => registered().every((each) => each.key !== own)));
      if (signer === undefined) return;
      const ghost = `ghost-${ownKeys.indexOf(signer)}`;
      const forged = forgeAs(`did:parley:${ghost}`, signer);
      if (!pinAs(signer, forged)) sometimes('pin of a key that is not registered');
      scheduler.after(random.integer(4_000), 'hostile', 'pins again as a ghost', () => {
        ledger.call(key, { type: 'add_key', name: ghost, key: signer });
        if (pinAs(signer, forged)) sometimes('pin repeated once its key is registered');
      });
    },
    speaksForAnother() {
      const owner = pick(registered().filter((each) => isOwn(each) && each.type !== 'node'));
      const signer = pick([key, ...(owner?.key == null || others.includes(owner.key) ? [] : [owner.key])]) ?? key;
      const author = someDid((each) => each.key !== signer);
      pinAs(signer, forgeAs(author, signer));
    },
    updates: () => update(someDid(isOwn)),
    updatesAnother: () => update(someDid((each) => !isOwn(each))),
    updatesUnknown: () => update(`did:parley:${name()}`),
    updatesOtherwiseSpelled: () => update(someDid(isOwn).replace('did:parley:', 'did:firefly:')),
    updatesNothing: () => update(someDid(isOwn), {}),
    updatesTooMuch: () => update(someDid(isOwn), { profile: {}, verified: true }),
    updatesWithText: () => update(someDid(isOwn), { profile: 'none' }),
    updatesElsewhere: () => define('svc_identity_update', { did: someDid(isOwn), namespace: 'elsewhere', profile: {} }),
    /** Reuses the id of another's update; neither may be taken for the other. */
    updatesByTheIdOfAnother() {
      const [first] = pick(oracle.identities().updates('default'))?.split('/') ?? [];
      const record = { did: someDid(isOwn), namespace: 'default', profile: { copied: true } };
      if (first !== undefined) define('svc_identity_update', record, { id: first });
    },
    claims: () => define('svc_identity_claim', { did: `did:parley:${name()}`, namespace: 'default' }),
    verifies: () => define('svc_identity_verification', { did: someDid((each) => !isOwn(each)), namespace: 'default' }),
  };
}
