import { writeCompose } from '../../stack/export/write-compose.js';
import { writeKubernetes } from '../../stack/export/write-kubernetes.js';
import { loadStack } from '../../stack/places/locate.js';
import type { CommandResult } from '../base.js';
import { findStack, type CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';

export interface ContainersFlags {
  readonly stack?: string | undefined;
  readonly output?: string | undefined;
  readonly data?: boolean | undefined;
  readonly advertise?: string | undefined;
}

/** `stack export compose`. @throws StackError as `writeCompose` */
export async function exportCompose(flags: ContainersFlags, context: CommandContext): Promise<CommandResult> {
  const { place, name } = await findStack(flags, context);
  const stack = await loadStack(place, name);
  const { data, advertise } = flags;
  const written = await writeCompose(stack, flags.output ?? `${name}-compose`, { data, advertise });
  const { directory, image, hasData, urls } = written;
  const what = `${safe(directory)} contains ${name} ${hasData ? 'with' : 'without'} its history`;
  return {
    json: { directory, image, data: hasData, urls },
    text: `${context.output.out.paint('green', '✓')} ${what}; to start it, see its README.md`,
    primary: safe(directory),
  };
}

/** `stack export kubernetes`. @throws StackError as `writeKubernetes` */
export async function exportKubernetes(
  flags: Pick<ContainersFlags, 'stack' | 'output'>,
  context: CommandContext,
): Promise<CommandResult> {
  const { place, name } = await findStack(flags, context);
  const { directory, image } = await writeKubernetes(
    await loadStack(place, name),
    flags.output ?? `${name}-kubernetes`,
  );
  const next = `kubectl create namespace ${name} && kubectl apply -n ${name} -f ${safe(directory)}`;
  return {
    json: { directory, image },
    text: `${context.output.out.paint('green', '✓')} ${safe(directory)} contains ${name} for ${safe(image)}: ${next}`,
    primary: safe(directory),
  };
}
