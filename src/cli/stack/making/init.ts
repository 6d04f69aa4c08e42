import type { initFlags } from './flags.js';
import type { FlagsOf } from '../../flag-types.js';
import { createStack, partyNames, settingsOfTemplate } from '../../../stack/create.js';
import { placeFrom } from '../../../stack/layout.js';
import { loadStack } from '../../../stack/places/locate.js';
import type { Setting } from '../../../stack/definition/render.js';
import { readSetting } from '../../config/setting.js';
import { durationMs } from '../../duration.js';
import { startDefaults } from '../../flags.js';
import type { CommandContext } from '../../requests/target.js';
import { fireflySettings } from './firefly.js';
import { start } from '../starting/progress.js';
import { answer } from '../../terminal/answer.js';
import { databaseSettings } from './database-flag.js';
import { storeSettings } from './store-flag.js';

export type InitFlags = FlagsOf<typeof initFlags> & {
  readonly name?: string | undefined;
};

/**
 * `stack init`. Resolves with the name of the stack.
 *
 * @throws CliError USAGE; StackError as `createStack` and `startStack`
 */
export async function initStack(flags: InitFlags, context: CommandContext): Promise<string> {
  const { output, environment, program } = context;
  const place = placeFrom(environment);
  const timeoutMs = durationMs(flags.timeout ?? startDefaults.timeout, '--timeout');
  const settings = (flags.set ?? []).map((text) => readSetting(text, '--set'));
  // Flags and --set take precedence.
  if (flags.firefly) {
    const workingDirectory = process.cwd();
    const template = await settingsOfTemplate(place, { ...flags, settings, parties: undefined, workingDirectory });
    settings.unshift(...fireflySettings(flags, template));
  }
  const { 'port-base': portBase } = flags;
  if (portBase !== undefined) settings.push({ path: ['ports', 'base'], value: portBase });
  if (flags.runtime !== undefined) settings.unshift({ path: ['runtime'], value: flags.runtime });
  if (flags.chain !== undefined) {
    settings.unshift(...chainSettings(flags.chain));
  }
  if (flags.db !== undefined) settings.unshift(...databaseSettings(flags.db, process.cwd()));
  if (flags.store !== undefined) settings.unshift(...storeSettings(flags.store));
  const created = await createStack(place, {
    name: flags.name,
    template: flags.template,
    ...(flags.parties === undefined ? {} : { parties: partyNames(flags.parties) }),
    settings,
    here: flags.here,
    ifMissing: flags['if-missing'],
    dryRun: flags['dry-run'],
    workingDirectory: process.cwd(),
  });
  if (flags.start) {
    await start(await loadStack(place, created.name), { timeoutMs }, flags.progress ?? startDefaults.progress, context);
    return created.name;
  }
  const { name, dir, configPath, template, parties } = created;
  const what = created.created ? 'created' : created.existed ? 'already exists' : 'would be created';
  const mark = output.out.paint('green', '✓');
  const text = `${mark} ${name} ${what}: ${parties.join(', ')} (${template})\n  ${configPath}`;
  await answer(output, { name, dir, configPath, template, parties, created: created.created }, text, name);
  if (flags.name === undefined && !created.existed && !output.isJson)
    await output.note(`The stack is named ${name}; to choose a name: ${program} init NAME`);
  return name;
}

/** The settings for `--chain`: the engine of the stack's own chain, or the URL of an external one. */
function chainSettings(word: string): Setting[] {
  const isOwn = word === 'anvil' || word === 'hardhat';
  const provider = { path: ['chain', 'provider'], value: isOwn ? word : 'url' };
  return isOwn ? [provider] : [provider, { path: ['chain', 'url'], value: word }];
}
