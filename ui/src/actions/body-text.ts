import { textOf } from '../../../src/wire/json/json.js';

/** The members of an object of a request, each with its JSON; an undefined one is left out. */
export type BodyMembers = readonly (readonly [name: string, json: string | undefined])[];

/** A JSON object from its members. Their JSON stays as it is, so that no number is rounded. */
export function objectText(members: BodyMembers): string {
  const written = members.flatMap(([name, json]) => (json === undefined ? [] : [`${textOf(name)}:${json}`]));
  return `{${written.join(',')}}`;
}

/** The content of a field as JSON; undefined for an empty field. */
export function given(text: string): string | undefined {
  return text === '' ? undefined : textOf(text);
}
