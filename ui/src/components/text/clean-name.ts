const maxNameCharacters = 120;

/** A file name of letters, digits and a few signs. */
export function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const cleaned = last
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N} ._()+-]/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(0, maxNameCharacters);
  return cleaned === '' ? 'file' : cleaned;
}
