import { resolveDataId } from '../../requests/ids.js';
import { loadText, payloadSource } from '../../requests/payload.js';
import type { ProgressKind } from '../../terminal/progress.js';
import type { RequestItem } from './request.js';
import type { ItemWord } from './send-flags.js';
import { fileMark } from '../../terminal/show-request.js';
import { readAll } from '../../terminal/stdin.js';
import type { PartyNode, CommandContext } from '../../requests/target.js';
import { fileSize, type FileUpload, uploadFile } from '../../data/upload.js';

/** An item that was read and checked. A file is not uploaded yet. */
export type LoadedItem = RequestItem | FileUpload;

/** Reads the named payloads, and checks that files exist. @throws CliError USAGE */
export async function loadItems(words: readonly ItemWord[], hasAutometa: boolean): Promise<LoadedItem[]> {
  const loaded: LoadedItem[] = [];
  for (const { kind, text } of words) {
    if (kind === 'text') loaded.push({ text, isString: true });
    else if (kind === 'data') loaded.push({ id: text });
    else if (kind === 'file') {
      await fileSize(text);
      loaded.push({ path: text, hasAutometa });
    } else loaded.push({ text: await loadText(payloadSource(text), () => readAll(process.stdin)), isString: false });
  }
  return loaded;
}

export function isFile(item: LoadedItem): item is FileUpload {
  return 'path' in item;
}

/** The items with a placeholder for the id of each file. */
export function markedItems(loaded: readonly LoadedItem[]): RequestItem[] {
  let n = 0;
  return loaded.map((item) => (isFile(item) ? { id: fileMark(n++) } : item));
}

/** Uploads files, in order, and resolves short ids of data. */
export async function uploadItems(
  loaded: readonly LoadedItem[],
  progress: ProgressKind,
  party: PartyNode,
  { output }: Pick<CommandContext, 'output'>,
): Promise<RequestItem[]> {
  const items: RequestItem[] = [];
  for (const item of loaded) {
    if (isFile(item)) items.push({ id: (await uploadFile(item, party, { output, progress })).value.id });
    else if ('id' in item) items.push({ id: await resolveDataId(party.client, item.id) });
    else items.push(item);
  }
  return items;
}
