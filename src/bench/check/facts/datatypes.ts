import { sha256 } from './facts.js';
import { itemsOf, rawMembersOf, textMember } from '../raw-json.js';

/** A datatype as a node serves it. */
export interface DatatypeFacts {
  readonly id: string;
  /** Id of the message that defined it. */
  readonly message: string;
  readonly name: string;
  readonly version: string;
  readonly hash: string;
  /** Whether `hash` is the hash of the schema's text. */
  readonly isWhole: boolean;
}

/** A message that defines a datatype. */
export interface DefinitionFacts {
  readonly message: string;
  readonly name: string;
  readonly version: string;
  readonly state: string;
}

/** Reads a datatype as `GET datatypes` serves it. @throws Error if the text is not an object */
export function readDatatype(text: string): DatatypeFacts {
  const members = rawMembersOf(text);
  const member = (name: string): string => textMember(members, name) ?? '';
  return {
    id: member('id'),
    message: member('message'),
    name: member('name'),
    version: member('version'),
    hash: member('hash'),
    isWhole: sha256(members.get('value') ?? '') === member('hash'),
  };
}

/** Reads a definition message as `GET messages` serves it with its data; undefined for other definitions. */
export function readDefinition(text: string): DefinitionFacts | undefined {
  const members = rawMembersOf(text);
  const header = rawMembersOf(members.get('header') ?? '{}');
  if (textMember(header, 'tag') !== 'svc_define_datatype') return undefined;
  const [item = '{}'] = itemsOf(members.get('data') ?? '[]');
  const value = rawMembersOf(rawMembersOf(item).get('value') ?? '{}');
  return {
    message: textMember(header, 'id') ?? '',
    name: textMember(value, 'name') ?? '',
    version: textMember(value, 'version') ?? '',
    state: textMember(members, 'state') ?? '',
  };
}
