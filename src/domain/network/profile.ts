import { type DidMethod, methodOf } from './identity.js';

/**
 * The profiles of networks. Where Parley's own behaviour contradicts FireFly 1.4, a network with the profile `firefly`
 * behaves like FireFly. The profile is recorded with the limits of the network, since hashes cover some of its effects
 * (docs/protocol.md §14).
 */
export const profiles = ['firefly'] as const;
export type Profile = (typeof profiles)[number];

/** The rules that depend on the profile of a network, except status codes, which are with their routes. */
export interface ProfileRules {
  /** The method of the DIDs that are hashed and shown; the other method is read as the same name. */
  readonly didMethod: DidMethod;
  /** The `txtype` of messages that are not pinned; the other word is read as the same. */
  readonly unpinned: 'none' | 'unpinned';
  /** A datatype without a version, together with the validator `none`, is a label and need not exist. */
  readonly takesLabels: boolean;
  /** A broadcast may have no data items. */
  readonly takesEmptyBroadcasts: boolean;
  /** The default of `withData` for webhooks. */
  readonly webhooksHaveData: boolean;
  /** Whether a webhook gets a lone value that is not an object as the member `value` of one. */
  readonly webhooksGetObjects: boolean;
  /** Whether a pin also has an event in the namespace of its batch, once the batch is held. */
  readonly tellsPinsInNamespace: boolean;
  /** If a request names no connector, whether it means the first of several. */
  readonly hasDefaultConnector: boolean;
  /** A mint may give the index that it expects; the contract assigns the actual one. */
  readonly takesMintIndex: boolean;
  /** Whether DID documents also have the key under the name that FireFly gives it, a misspelling. */
  readonly hasMisspeltKeys: boolean;
  /** The default of `firstEvent` for contract listeners. */
  readonly listenersBegin: 'oldest' | 'newest';
}

const ownRules: ProfileRules = {
  didMethod: 'parley',
  unpinned: 'none',
  takesLabels: false,
  takesEmptyBroadcasts: false,
  webhooksHaveData: false,
  webhooksGetObjects: false,
  tellsPinsInNamespace: false,
  hasDefaultConnector: false,
  takesMintIndex: false,
  hasMisspeltKeys: false,
  listenersBegin: 'oldest',
};

const rulesOfProfiles: Readonly<Record<Profile, ProfileRules>> = {
  firefly: {
    didMethod: 'firefly',
    unpinned: 'unpinned',
    takesLabels: true,
    takesEmptyBroadcasts: true,
    webhooksHaveData: true,
    webhooksGetObjects: true,
    tellsPinsInNamespace: true,
    hasDefaultConnector: true,
    takesMintIndex: true,
    hasMisspeltKeys: true,
    listenersBegin: 'newest',
  },
};

/** Returns the rules of a network's profile; without a profile, Parley's own. */
export function profileRulesOf(profile: Profile | undefined): ProfileRules {
  return profile === undefined ? ownRules : rulesOfProfiles[profile];
}

/** Returns the rules of the network that an author belongs to, derived from the method of its DID. */
export function profileRulesOfAuthor(did: string): ProfileRules {
  return methodOf(did) === 'firefly' ? rulesOfProfiles.firefly : ownRules;
}
