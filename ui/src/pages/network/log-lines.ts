/** The lines that contain a text, ignoring case, newest first. */
export function linesWith(lines: readonly string[], text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  return lines.filter((line) => line.toLowerCase().includes(wanted)).toReversed();
}
