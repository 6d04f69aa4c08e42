import { type DidMethod, methodOf } from './identity.js';

/**
 * The profiles of networks. One of `firefly` answers as FireFly 1.4 does where that contradicts the specification. The
 * profile is recorded with the limits of the network, since some of it is hashed.
 */
export const profiles = ['firefly'] as const;
export type Profile = (typeof profiles)[number];

/** The rules that depend on the profile of a network, but for status codes, which stand with their routes. */
export interface ProfileRules {
  /** The method of the DIDs that are hashed and shown; the other spelling is read as the same name. */
  readonly didMethod: DidMethod;
  /** The word for messages that are not pinned; the other is read as the same. */
  readonly unpinned: 'none' | 'unpinned';
  /** A datatype without a version, beside the validator `none`, is a label that nobody looks up. */
  readonly takesLabels: boolean;
  /** A broadcast may have no data. */
  readonly takesEmptyBroadcasts: boolean;
  /** Whether webhooks get the data of messages where nothing is said of it. */
  readonly webhooksHaveData: boolean;
  /** Whether a pin is told in its batch's namespace, too, once the batch is held. */
  readonly tellsPinsInNamespace: boolean;
  /** Whether the first of several token connectors is meant where none is named. */
  readonly hasDefaultConnector: boolean;
  /** A mint may say which index it expects; it is the contract that gives it. */
  readonly takesMintIndex: boolean;
  /** The events that a contract listener begins with where nothing is said of it. */
  readonly listenersBegin: 'oldest' | 'newest';
}

const specificationRules: ProfileRules = {
  didMethod: 'parley',
  unpinned: 'none',
  takesLabels: false,
  takesEmptyBroadcasts: false,
  webhooksHaveData: false,
  tellsPinsInNamespace: false,
  hasDefaultConnector: false,
  takesMintIndex: false,
  listenersBegin: 'oldest',
};

const rulesOfProfiles: Readonly<Record<Profile, ProfileRules>> = {
  firefly: {
    didMethod: 'firefly',
    unpinned: 'unpinned',
    takesLabels: true,
    takesEmptyBroadcasts: true,
    webhooksHaveData: true,
    tellsPinsInNamespace: true,
    hasDefaultConnector: true,
    takesMintIndex: true,
    listenersBegin: 'newest',
  },
};

/** Returns the rules of a network's profile; without one they are the specification's. */
export function profileRulesOf(profile: Profile | undefined): ProfileRules {
  return profile === undefined ? specificationRules : rulesOfProfiles[profile];
}

/** Returns the rules of the network that an author belongs to: its DIDs are of no other. */
export function profileRulesOfAuthor(did: string): ProfileRules {
  return methodOf(did) === 'firefly' ? rulesOfProfiles.firefly : specificationRules;
}
