import { writeCompose } from '../../stack/export/write-compose.js';
import { loadStack } from '../../stack/locate.js';
import type { CommandResult } from '../base.js';
import { findStack, type Surroundings } from '../target.js';
import { safe } from '../text.js';

export interface ContainersFlags {
  readonly stack?: string | undefined;
  readonly output?: string | undefined;
  readonly data?: boolean | undefined;
  readonly advertise?: string | undefined;
}

/** `stack export compose`. @throws StackError as `writeCompose` */
export async function exportCompose(flags: ContainersFlags, surroundings: Surroundings): Promise<CommandResult> {
  const { place, name } = await findStack(flags, surroundings);
  const stack = await loadStack(place, name);
  const { data, advertise } = flags;
  const written = await writeCompose(stack, flags.output ?? `${name}-compose`, { data, advertise });
  const { directory, image, hasData, urls } = written;
  const what = `${safe(directory)} has ${name}, ${hasData ? 'with' : 'without'} its history`;
  return {
    json: { directory, image, data: hasData, urls },
    text: `${surroundings.output.out.paint('green', '✓')} ${what}; its README.md says how to start it`,
    primary: safe(directory),
  };
}
