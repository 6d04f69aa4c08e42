/** Decodes a part of a path; an invalid encoding is returned unchanged and matches nothing. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
