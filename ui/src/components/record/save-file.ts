import { cleanName } from '../text/clean-name.js';

/** Downloads content as a file. The name is sanitised. */
export function saveFile(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = cleanName(name);
  link.click();
  // The browser reads the URL asynchronously and does not report when it is done.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
