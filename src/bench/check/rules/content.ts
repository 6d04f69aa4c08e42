import { didsOf } from './rules.js';
import { messageKey } from '../order.js';
import type { PartyRecord } from '../recording.js';
import type { Rule } from './rules.js';

/**
 * I8: only its members have anything of a private message: its text is in no searched place, and no other party has the
 * message or the group.
 */
export const privacy: Rule = ({ searches = [], sends, parties }, _order, evidence) => {
  for (const { canary, members, place, party, searchedBytes, hits } of searches) {
    if (party !== null && members.includes(party)) continue;
    // A place without any bytes to search is no evidence.
    if (searchedBytes > 0) evidence.count++;
    const [hit] = hits;
    if (hit !== undefined) evidence.faults.push(`"${canary}" of ${members.join(', ')} is in ${place}: ${hit}`);
  }
  for (const { id, members } of sends) {
    if (id === null || members === undefined) continue;
    for (const party of parties) {
      if (members.includes(party.name)) continue;
      evidence.count++;
      if (party.messages.some((message) => message.id === id)) {
        evidence.faults.push(`message ${id} of ${members.join(', ')} is at ${party.name}`);
      }
    }
  }
  for (const party of parties) checkGroups(party, evidence.faults);
};

function checkGroups({ name, groups = [], messages }: PartyRecord, faults: string[]): void {
  const own = didsOf(name);
  const foreign = new Set(
    groups.filter(({ members }) => !own.some((did) => members.includes(did))).map(({ hash }) => hash),
  );
  for (const hash of foreign) faults.push(`${name} has the group ${hash} and is not a member`);
  for (const message of messages) {
    if (foreign.has(message.group ?? ''))
      faults.push(`message ${messageKey(message)} is at ${name}, which is not a member`);
  }
}

/** I10: exactly one definition of a name and version wins, the same everywhere, and the others are rejected. */
export const oneDatatype: Rule = ({ parties }, _order, evidence) => {
  const winners = new Map<string, { readonly datatype: string; readonly party: string }>();
  for (const party of parties) {
    const names = new Set<string>();
    for (const { id, message, name, version, hash, isWhole } of party.datatypes ?? []) {
      const key = `${name}@${version}`;
      evidence.count++;
      if (names.has(key)) evidence.faults.push(`there are two datatypes ${key} at ${party.name}`);
      names.add(key);
      if (!isWhole) evidence.faults.push(`datatype ${key} at ${party.name} does not have the hash of its schema`);
      const datatype = `${id} of message ${message} with ${hash}`;
      const first = winners.get(key) ?? { datatype, party: party.name };
      winners.set(key, first);
      if (first.datatype !== datatype) {
        evidence.faults.push(`datatype ${key} is ${first.datatype} at ${first.party} and ${datatype} at ${party.name}`);
      }
    }
    checkDefinitions(party, evidence.faults);
  }
  // A party that lists datatypes must list every one that any party has.
  for (const { name, datatypes } of parties) {
    if (datatypes === undefined) continue;
    const listed = new Set(datatypes.map((datatype) => `${datatype.name}@${datatype.version}`));
    for (const key of winners.keys()) {
      if (!listed.has(key)) evidence.faults.push(`datatype ${key} is not at ${name}`);
    }
  }
};

function checkDefinitions({ name: party, datatypes = [], definitions = [] }: PartyRecord, faults: string[]): void {
  for (const { message, name, version, state } of definitions) {
    const winner = datatypes.find((each) => each.name === name && each.version === version)?.message;
    const expected = winner === message ? 'confirmed' : 'rejected';
    if (state !== expected) faults.push(`definition ${message} is ${state} at ${party}, not ${expected}`);
  }
}
