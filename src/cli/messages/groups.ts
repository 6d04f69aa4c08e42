import { ClientError } from '../../client/errors.js';
import type { Group } from '../../wire/group.js';
import type { Message } from '../../wire/message.js';
import type { PartyNode, Target } from '../target.js';
import { shortAuthor } from '../text.js';

/** The groups of private messages, as the sending party's node knows them; each is read once. */
export interface Groups {
  /** The parties that must see a message, of those that the command knows: the group's, or all. */
  partiesOf(message: Message): Promise<readonly PartyNode[]>;
  /** Whom a private message is for, by name and without its author; the author alone for itself. Empty for others. */
  recipientsOf(message: Message): Promise<readonly string[]>;
}

/** Reads groups at the node of `target.party`. */
export function createGroups(target: Target): Groups {
  const known = new Map<string, Promise<Group>>();
  const groupOf = ({ header }: Message): Promise<Group> | undefined => {
    if (header.group === undefined) return undefined;
    const found = known.get(header.group) ?? readGroup(target.party, header.group);
    known.set(header.group, found);
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

/** The party at whose node a member takes part: an organisation's own, else the one that runs the named node. */
async function partyOf(target: Target, member: Group['members'][number]): Promise<PartyNode | undefined> {
  const own = target.parties.find(({ organization }) => member.identity === `did:parley:org/${organization ?? ''}`);
  if (own !== undefined) return own;
  const did = await nodeDid(target.party, member.node);
  return target.parties.find(({ node }) => did === `did:parley:node/${node ?? ''}`);
}

/** The DID of a node, undefined for one that the sender does not know. */
async function nodeDid({ client }: PartyNode, id: string): Promise<string | undefined> {
  try {
    return (await client.getIdentity({ path: { iid: id } })).value.did;
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}
