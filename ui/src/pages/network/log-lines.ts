/** The lines of a log that have a text, whatever its case, newest first. */
export function linesWith(lines: readonly string[], text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  return lines.filter((line) => line.toLowerCase().includes(wanted)).toReversed();
}
