import { quote } from '../../../client/curl.js';
import { createStack } from '../../../stack/create.js';
import { externalCommand } from '../../../stack/engines/external.js';
import { placeFrom } from '../../../stack/layout.js';
import { loadStack, type Stack } from '../../../stack/places/locate.js';
import { resetStack } from '../../../stack/reset.js';
import { restoreSnapshot } from '../../../stack/snapshot/restore.js';
import type { StartOptions } from '../../../stack/running/start-options.js';
import type { ServiceRow } from '../../../stack/status.js';
import { durationMs } from '../../duration.js';
import type { ProgressKind } from '../../terminal/progress.js';
import { confirm, type ConfirmWords } from '../../terminal/prompt.js';
import { confirmRestore } from '../../snapshots/confirm-restore.js';
import { openStack, type Surroundings } from '../../requests/target.js';
import { findCheckedOut } from './checkout.js';
import { stayInForeground } from './foreground.js';
import type { InterruptSource } from './interrupt.js';
import { start } from './lifecycle.js';
import { launchPage } from '../watching/open-page.js';

export interface StartWords extends ConfirmWords {
  readonly stack?: string | undefined;
  readonly name?: string | undefined;
  readonly timeout: string;
  readonly 'no-wait': boolean;
  readonly init?: string | undefined;
  readonly fresh: boolean;
  readonly 'from-snapshot'?: string | undefined;
  readonly 'reassign-ports': boolean;
  readonly host?: string | undefined;
  readonly smoke?: boolean | undefined;
  readonly 'no-hooks': boolean;
  readonly foreground: boolean;
  readonly open: boolean;
  readonly external?: readonly string[] | undefined;
  readonly progress: ProgressKind;
}

/**
 * `stack start`. @throws StackError as `startStack`, `resetStack`, `createStack`; CliError INTERRUPTED after
 * `--foreground`
 */
export async function startOne(words: StartWords, surroundings: Surroundings): Promise<void> {
  const timeoutMs = durationMs(words.timeout, '--timeout');
  const stack = await openOrInit(words, surroundings);
  if (words.fresh) {
    const text = `Everything that ${stack.name} has done will be deleted.`;
    if (!(await confirm({ text }, words, surroundings))) return;
    await resetStack(stack, { restart: false });
  }
  const snapshot = words['from-snapshot'];
  if (snapshot !== undefined) {
    if (!(await confirmRestore(stack, snapshot, words, surroundings))) return;
    await restoreSnapshot(stack, snapshot, { restart: false });
  }
  const options: StartOptions = {
    timeoutMs,
    wait: !words['no-wait'],
    reassignPorts: words['reassign-ports'],
    host: words.host,
    ...(words.external === undefined ? {} : { external: words.external }),
    ...(words.smoke === undefined ? {} : { smoke: words.smoke }),
  };
  if (words.foreground) await stayInForeground(stack, () => begin(stack, options, words, surroundings), surroundings);
  else await begin(stack, options, words, surroundings);
}

async function begin(
  stack: Stack,
  options: StartOptions,
  words: StartWords,
  surroundings: Surroundings,
): Promise<void> {
  // In the foreground an interruption stops the stack, so there is no note about a stack that keeps starting.
  const heard = words.foreground ? deaf : process;
  const { services } = await start(stack, options, words.progress, surroundings, {
    signals: heard,
    hasHooks: !words['no-hooks'],
  });
  await noteExternals(stack, services, surroundings);
  const page = services.find(({ kind, state }) => kind === 'node' && state === 'healthy')?.url;
  if (words.open && typeof page === 'string') launchPage(`${page}/ui`, surroundings);
}

const deaf: InterruptSource = { prependListener: () => process, off: () => process };

/** Prints how to run the nodes that the user runs. */
async function noteExternals(
  { layout }: Stack,
  services: readonly ServiceRow[],
  { output }: Surroundings,
): Promise<void> {
  for (const { name } of services.filter(({ kind, isExternal }) => kind === 'node' && isExternal)) {
    const { program, config } = externalCommand(layout, name);
    await output.note(`${name} is yours to run:\n  node --inspect ${quote(program)} ${quote(config)}`);
  }
}

async function openOrInit(words: StartWords, surroundings: Surroundings): Promise<Stack> {
  const place = placeFrom(surroundings.environment);
  if (words.init === undefined) {
    const checkedOut = await findCheckedOut(place, words, surroundings);
    return checkedOut ?? openStack(words, surroundings);
  }
  const name = words.stack ?? words.name ?? (surroundings.environment['STACK_NAME'] || undefined);
  const workingDirectory = process.cwd();
  const created = await createStack(place, { name, template: words.init, ifMissing: true, workingDirectory });
  return loadStack(place, created.name);
}
