import type { Group } from '../../../wire/messages/group.js';
import type { Collection } from '../../requests/list.js';
import { recordText } from '../../requests/record-text.js';
import { ageColumn } from '../../terminal/table.js';
import { safe, shortAuthor } from '../../terminal/text.js';

/** The list of groups, with the names of their members. */
export function groupCollection(nowMs: number): Collection<'listGroups'> {
  return {
    route: 'listGroups',
    noun: 'groups',
    keys: { id: ({ hash }) => hash, field: 'created', key: ({ created }) => created },
    columns: [
      { name: 'hash', text: ({ hash }, isTerminal) => (isTerminal ? hash.slice(0, 8) : hash) },
      { name: 'name', spare: 1, text: ({ name }) => safe(name) },
      { name: 'members', text: ({ members }) => safe(members.map(({ identity }) => shortAuthor(identity)).join(',')) },
      ageColumn('created', ({ created }) => created, nowMs),
    ],
  };
}

export function groupText({ hash, name, created, namespace, members }: Group): string {
  return recordText([
    ['hash', hash],
    ['name', name],
    ['created', created],
    ['namespace', namespace],
    ...members.map(({ identity, node }) => ['member', `${shortAuthor(identity)}  ${identity}  ${node}`] as const),
  ]);
}
