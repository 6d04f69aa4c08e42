import { textOf } from '../../../src/wire/json/json.js';

/** The members of a JSON object, each with its JSON text; undefined ones are left out. */
export type BodyMembers = readonly (readonly [name: string, json: string | undefined])[];

/** Builds a JSON object from the texts of its members, so that no number is rounded. */
export function objectText(members: BodyMembers): string {
  const written = members.flatMap(([name, json]) => (json === undefined ? [] : [`${textOf(name)}:${json}`]));
  return `{${written.join(',')}}`;
}

/** The content of a field as a JSON string; undefined if it is empty. */
export function given(text: string): string | undefined {
  return text === '' ? undefined : textOf(text);
}
