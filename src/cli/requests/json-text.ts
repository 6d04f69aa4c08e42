/** Appends a member to the text of an object; the rest stays byte for byte. */
export function withMember(object: string, name: string, member: string): string {
  const end = object.lastIndexOf('}');
  const members = object.slice(object.indexOf('{') + 1, end).trim();
  return `{${members}${members === '' ? '' : ','}"${name}":${member}}`;
}
