import { cleanName } from '../text/clean-name.js';

/** Gives the user a file, under a name without anything that a system could read as a path or hide. */
export function saveFile(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = cleanName(name);
  link.click();
  // The browser reads the address in its own time.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
