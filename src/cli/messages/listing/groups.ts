import { partyOfDid, plainDid } from '../../requests/owners.js';
import { ClientError } from '../../../client/errors.js';
import type { Group } from '../../../wire/messages/group.js';
import type { Message } from '../../../wire/messages/message.js';
import type { PartyNode, Target } from '../../requests/target.js';
import { shortAuthor } from '../../terminal/text.js';

/** Reads the groups of private messages, each once. */
export interface Groups {
  /** The parties of the stack that must receive a message: those of its group, or all. */
  partiesOf(message: Message): Promise<readonly PartyNode[]>;
  /** The names of a private message's recipients: the members without the author, or the author alone. */
  recipientsOf(message: Message): Promise<readonly string[]>;
}

/** Reads groups from the node of `target.party`. */
export function createGroups(target: Target): Groups {
  const known = new Map<string, Promise<Group>>();
  const groupOf = ({ header }: Message): Promise<Group> | undefined => {
    const { group } = header;
    if (group === undefined) return undefined;
    const before = known.get(group);
    if (before !== undefined) return before;
    const found = readGroup(target.party, group);
    known.set(group, found);
    // A failed read is repeated on the next call.
    found.catch(() => known.delete(group));
    return found;
  };
  return {
    async partiesOf(message) {
      const group = await groupOf(message);
      if (group === undefined || target.stack === undefined) return target.parties;
      const places = await Promise.all(group.members.map((member) => partyOf(target, member)));
      return target.parties.filter((party) => party === target.party || places.includes(party));
    },
    async recipientsOf(message) {
      const members = (await groupOf(message))?.members ?? [];
      const others = members.filter(({ identity }) => identity !== message.header.author);
      return (others.length === 0 ? members : others).map(({ identity }) => shortAuthor(identity));
    },
  };
}

async function readGroup({ client }: PartyNode, hash: string): Promise<Group> {
  return (await client.getGroup({ path: { hash } })).value;
}

/** The party whose node receives for a member: that of the organisation, otherwise that of the member's node. */
async function partyOf(target: Target, member: Group['members'][number]): Promise<PartyNode | undefined> {
  const own = partyOfDid(target.parties, member.identity);
  if (own !== undefined) return own;
  const did = await nodeDid(target.party, member.node);
  if (did === undefined) return undefined;
  return target.parties.find(({ node }) => plainDid(did) === `did:parley:node/${node ?? ''}`);
}

/** The DID of a node; undefined if it is unknown. */
async function nodeDid({ client }: PartyNode, id: string): Promise<string | undefined> {
  try {
    return (await client.getIdentity({ path: { iid: id } })).value.did;
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}
