import { requireEngine } from '../../stack/engines/container-engine.js';
import { ensureImage, type Image, listImages, removeImage } from '../../stack/engines/image.js';
import { textOf } from '../../wire/json/json.js';
import type { CommandResult } from '../base.js';
import { result } from '../terminal/output.js';
import { confirm, type ConfirmFlags } from '../terminal/prompt.js';
import { type Column, printTable, type TableOptions } from '../terminal/table.js';
import type { CommandContext } from '../requests/target.js';
import { safe, sizeOf, spanOf } from '../terminal/text.js';

type ListedImage = Omit<Image, 'isNew'>;

function members({ name, id, sizeBytes, hasChain }: ListedImage): Record<string, unknown> {
  return { name, id, sizeBytes, chain: hasChain };
}

/** `stack image build`. @throws StackError as `requireEngine` and `ensureImage` */
export async function buildImage(
  { hasChain }: { readonly hasChain: boolean },
  { output, environment }: CommandContext,
): Promise<CommandResult> {
  const begunMs = performance.now();
  const image = await ensureImage(await requireEngine(environment), hasChain);
  const durationMs = Math.round(performance.now() - begunMs);
  const what = image.isNew ? `created in ${spanOf(durationMs)}` : 'already exists';
  return {
    json: { ...members(image), created: image.isNew, durationMs },
    text: `${output.out.paint('green', '✓')} ${safe(image.name)} ${what} · ${sizeOf(image.sizeBytes)}`,
    primary: image.name,
  };
}

const columns: readonly Column<ListedImage>[] = [
  { name: 'image', text: ({ name }) => safe(name) },
  { name: 'size', text: ({ sizeBytes }) => sizeOf(sizeBytes) },
  { name: 'chain', text: ({ hasChain }) => (hasChain ? 'yes' : 'no') },
  { name: 'id', spare: 1, text: ({ id }) => safe(id.replace(/^sha256:/, '').slice(0, 12)) },
];

/** `stack image list`. @throws StackError as `requireEngine` */
export async function showImages(
  options: TableOptions,
  { output, environment, program }: CommandContext,
): Promise<void> {
  const images = await listImages(await requireEngine(environment));
  if (output.isJson) await output.json(textOf(result({ images: images.map(members) })));
  else if (output.isQuiet) await output.out.write(images.map(({ name }) => `${name}\n`).join(''));
  else if (images.length === 0) await output.note(`No image exists. Create one: ${program} image build`);
  else await printTable(output, images, columns, options);
}

/** `stack image remove`. @throws StackError as `requireEngine`; CliError USAGE */
export async function removeImages(flags: ConfirmFlags, context: CommandContext): Promise<CommandResult | undefined> {
  const engine = await requireEngine(context.environment);
  const images = await listImages(engine);
  const text = `${images.length} ${images.length === 1 ? 'image' : 'images'} of Parley will be removed.`;
  if (images.length > 0 && !(await confirm({ text }, flags, context))) return undefined;
  for (const image of images) await removeImage(engine, image);
  const names = images.map(({ name }) => name);
  return {
    json: { removed: names },
    text: names.length === 0 ? 'No image exists' : `${names.map(safe).join(', ')} removed`,
    primary: names.join('\n'),
  };
}
